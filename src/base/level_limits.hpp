// What a level of a category may be, and how many there may be of them.
#pragma once

#include <cstddef>

namespace bkernn {

constexpr std::size_t kMostLevels = 100'000;
constexpr std::size_t kLongestLevel = std::size_t{1} << 20;  // bytes

}  // namespace bkernn
