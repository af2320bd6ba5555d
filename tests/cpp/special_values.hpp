// The values that no option and no table may take.
#pragma once

#include <limits>

namespace bkernn {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace bkernn
