#include "model/short_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace bkernn {
namespace {

// Powers of ten, and products with whole numbers below the limit, are exact.
constexpr int kMostDecimals = 22;
constexpr double kExactWhole = 9007199254740992;  // 2^53

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

double short_number_near(double value, double most) {
  if (!(most > 0) || !std::isfinite(value)) return value;
  if (std::abs(value) <= most) return 0;
  const int coarsest =
      static_cast<int>(std::clamp(std::ceil(-std::log10(2 * most)), -300.0, 300.0));
  for (int decimals = coarsest - 1; decimals <= std::min(coarsest + 1, kMostDecimals); ++decimals) {
    if (decimals < -kMostDecimals) continue;
    const double power = power_of_ten(std::abs(decimals));
    const double whole = std::round(decimals < 0 ? value / power : value * power);
    if (std::abs(whole) >= kExactWhole) break;
    const double candidate = decimals < 0 ? whole * power : whole / power;
    if (std::abs(candidate - value) <= most) return candidate;
  }
  return value;
}

}  // namespace bkernn
