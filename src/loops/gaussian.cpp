#include "loops/gaussian.hpp"

#include <bit>
#include <cstdint>

#include "loops/instruction_sets.hpp"

namespace bkernn::loops {

// e^x = 2^k e^r with |r| ≤ log(2)/2, and e^r by its series; without branches, so that it runs in
// vector registers. Adding and subtracting kRound rounds to an integer, and leaves that integer in
// the last bits of the sum.
BKERNN_CLONES void gaussian(Index n, const double* p, double b, double* out) {
  constexpr double kRound = 6755399441055744.0;  // 1.5·2^52
  constexpr double kLog2 = 6.93147180369123816490e-01, kRest = 1.90821492927058770002e-10;
  constexpr auto kMost = std::bit_cast<std::int64_t>(700.0);  // they compare as their bits do
  for (Index i = 0; i < n; ++i) {
    const auto size = std::bit_cast<std::int64_t>(0.5 * (p[i] - b) * (p[i] - b));
    const double x = -std::bit_cast<double>(size < kMost ? size : kMost);
    const double shifted = x * 1.44269504088896340736 + kRound;
    const double k = shifted - kRound;
    const double r = (x - k * kLog2) - k * kRest;
    double series = 1;
#pragma GCC unroll 16
    for (int t = 13; t > 0; --t) series = 1 + series * r * (1.0 / t);
    const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    out[i] = series * std::bit_cast<double>(exponent);
  }
}

}  // namespace bkernn::loops
