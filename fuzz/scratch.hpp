// A directory in memory for what a target reads and writes.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace bkernn::fuzz {

class Scratch {
 public:
  Scratch() : directory_("/dev/shm/bkernn-fuzz-" + std::to_string(::getpid())) {
    std::filesystem::create_directories(directory_);
  }
  ~Scratch() { std::filesystem::remove_all(directory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& directory() const { return directory_; }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      std::filesystem::remove_all(entry.path());
    }
  }

 private:
  std::string directory_;
};

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace bkernn::fuzz
