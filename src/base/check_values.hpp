// What numbers may come in.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn {

constexpr double kLargestInput = 1e100;  // squares and sums of what is larger would overflow

// Throws InvalidArgument, naming the place and the value, for values that are not finite or too
// large.
void check_values(const MatrixView& A, const char* name);

// Throws InvalidArgument for a weight that is negative, not finite or too large.
void check_weights(const Vector& weights);

}  // namespace bkernn
