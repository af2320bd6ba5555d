// Choices by name.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bkernn/error.hpp"

namespace bkernn {

// Throws InvalidArgument, with a list of the known names, unless `name` is one of them.
inline void require_name(const char* parameter, const std::string& name,
                         const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  require(false, parameter, "\"" + name + "\"", "must be one of " + list);
}

}  // namespace bkernn
