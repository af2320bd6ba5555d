// JSON for others to read: keys stay in the order in which they were added.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn::report {

using Json = nlohmann::ordered_json;

inline Json to_array(const Vector& values) {
  return std::vector<double>(values.begin(), values.end());
}

}  // namespace bkernn::report
