// What fits of halves of the rows say about the fit of all rows (bkernn/stability.hpp).
#pragma once

#include <vector>

#include "bkernn/stability.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct Half {
  Matrix W;      // in the coordinates of the fit of all rows
  Vector sizes;  // of its columns
};

// Leading directions of W, k at most, and no more than W has.
Matrix leading(const Matrix& W, Index k);

// Angles to these directions, weights along them, and how often each column is selected.
void describe_halves(const std::vector<Half>& halves, const Matrix& directions,
                     const StabilityOptions& options, StabilityResult& result);

}  // namespace bkernn
