// The exponential in vector registers, and what is made of it.
#pragma once

#include <bit>
#include <cstdint>

#include "bkernn/types.hpp"

namespace bkernn::loops {

// e^−x of an x ≥ 0, to about one unit in the last place. Beyond 700 it counts as 700, so that
// nothing underflows, and NaN does as well.
//
// e^−x = 2^k e^r with |r| ≤ log(2)/2, and e^r by its series; without branches, so that it runs in
// vector registers. Adding and subtracting kRound rounds to an integer, and leaves that integer in
// the last bits of the sum.
[[gnu::always_inline]] inline double exp_minus(double x) {
  constexpr double kRound = 6755399441055744.0;  // 1.5·2^52
  constexpr double kLog2 = 6.93147180369123816490e-01, kRest = 1.90821492927058770002e-10;
  constexpr auto kMost = std::bit_cast<std::int64_t>(700.0);  // they compare as their bits do
  const auto size = std::bit_cast<std::int64_t>(x);
  const double y = -std::bit_cast<double>(size < kMost ? size : kMost);
  const double shifted = y * 1.44269504088896340736 + kRound;
  const double k = shifted - kRound;
  const double r = (y - k * kLog2) - k * kRest;
  double series = 1;
#pragma GCC unroll 16
  for (int t = 13; t > 0; --t) series = 1 + series * r * (1.0 / t);
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return series * std::bit_cast<double>(exponent);
}

// out_i = exp(−(p_i − b)²/2).
void gaussian(Index n, const double* p, double b, double* out);

// out_i = exp(f_i − top_i) for f_i ≤ top_i.
void exponentials_below(Index n, const double* f, const double* top, double* out);

}  // namespace bkernn::loops
