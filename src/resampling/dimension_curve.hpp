// How many directions lower the loss of held-out rows (bkernn/stability.hpp).
#pragma once

#include "base/rng.hpp"
#include "bkernn/stability.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// Losses of rows with 0, 1, … directions, one column each, and weights with sum 1. P-values are
// those of random signs.
DimensionCurve curve_of(const Matrix& losses, const Vector& s, int n_permutations, Rng& rng);

// Whether direction k + 1 lowers the loss beyond chance.
bool helps(const DimensionCurve& curve, Index k);

}  // namespace bkernn
