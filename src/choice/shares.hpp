// How much each of a few models counts in their mean.
#pragma once

#include <vector>

#include "bkernn/loss.hpp"

namespace bkernn {

// The shares w ≥ 0 with Σ_k w_k = 1, multiples of 1/12, with the least loss of Σ_k w_k F_k on rows
// that no model was fitted to. F: predictions of the same rows, n×q each, s their weights. At most
// three models.
std::vector<double> best_shares(const Loss& loss, const Matrix& Y, const Vector& s,
                                const std::vector<Matrix>& F);

}  // namespace bkernn
