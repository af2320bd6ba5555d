// Which numbers are accepted as input.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn {

constexpr double kLargestInput = 1e100;  // squares and sums of larger numbers could overflow

// Throws InvalidArgument that names the place and the value, if a value is not finite or too large.
void check_values(const MatrixView& A, const char* name);

// Throws InvalidArgument if a weight is negative, not finite or too large.
void check_weights(const Vector& weights);

}  // namespace bkernn
