// JSON for others to read: keys stay in the order in which they were added.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn::report {

using Json = nlohmann::ordered_json;

inline Json to_array(const Vector& values) {
  return std::vector<double>(values.begin(), values.end());
}

// For drawing: six digits of the largest are enough.
inline Json to_short_array(const Vector& values) {
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0) || !std::isfinite(largest)) return to_array(values);
  const double unit = std::pow(10, 5 - std::floor(std::log10(largest)));
  const Vector rounded = unit < 1e15 ? Vector((values * unit).array().round() / unit) : values;
  return to_array(rounded);
}

}  // namespace bkernn::report
