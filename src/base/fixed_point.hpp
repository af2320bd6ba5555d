// Sums that do not depend on the order of their terms. Every term is rounded to a multiple of one
// quantum, a power of two, and the multiples are added as integers. Rows summed in any blocks, on
// any machines, give the same bits.
//
// With the quantum of quantum_for(largest, count), the sum of `count` terms of size `largest` stays
// below 2⁵² quanta. So it is exact as a double too, and so are sums of such sums. A term changes by
// at most half a quantum, largest·count·2⁻⁵². If the terms do not repeat one another, the sum
// changes by about √count of these: 10⁻¹³ of largest·count for a million terms.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "bkernn/types.hpp"

namespace bkernn {

using IntegerMatrix = Eigen::Matrix<std::uint64_t, Eigen::Dynamic, Eigen::Dynamic>;
using IntegerVector = Eigen::Matrix<std::uint64_t, Eigen::Dynamic, 1>;

class FixedPoint {
 public:
  static double quantum_for(double largest, double count) {
    const double sum = std::clamp(largest * count, 1e-250, 1e250);
    return std::ldexp(1.0, std::ilogb(sum) + 1 - 52);
  }

  explicit FixedPoint(double quantum)
      : quantum_(quantum),
        shift_(std::ldexp(quantum, 52) * 1.5),
        zero_(std::bit_cast<std::uint64_t>(shift_)) {}

  // x in quanta, for |x| < 2⁵¹ quanta. Adding the shift rounds away all bits below the quantum; the
  // bits above it are the integer. Negative numbers and intermediate sums are modulo 2⁶⁴.
  std::uint64_t operator()(double x) const {
    return std::bit_cast<std::uint64_t>(x + shift_) - zero_;
  }

  // The nearest multiple of the quantum.
  double rounded(double x) const { return (x + shift_) - shift_; }

  double value(std::uint64_t sum) const {
    return static_cast<double>(static_cast<std::int64_t>(sum)) * quantum_;
  }

 private:
  double quantum_, shift_;
  std::uint64_t zero_;
};

}  // namespace bkernn
