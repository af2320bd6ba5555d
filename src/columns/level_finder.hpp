// Levels by name, however numbers and truth values are written.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

class LevelFinder {
 public:
  explicit LevelFinder(const std::vector<std::string>& levels);

  // The position of the level, or −1.
  Index find(const std::string& name) const;

 private:
  std::unordered_map<std::string, Index> exact_, plain_;
};

// The shortest spelling of a number, "true" or "false" in small letters, any other text as it is.
std::string plain_level(const std::string& text);

}  // namespace bkernn
