// The supremum over a sphere of directions that both the Gaussian complexity and the largest useful
// λ are made of.
#pragma once

#include "base/rng.hpp"
#include "bkernn/theory.hpp"

namespace bkernn::theory {

struct SphereMaximum {
  double value = 0;  // sup_{‖w‖ = 1} tr(EᵀK^(w)E), K^(w) the Brownian kernel matrix with origin 0
  Vector w;
};

// X n×d, E n×q. Projected gradient ascent from the `restarts` best of many random starts, from XᵀE
// and, on the ℓ1 sphere, from the unit vectors; see theory.hpp.
SphereMaximum maximize_on_sphere(const MatrixView& X, const Matrix& E, Sphere sphere,
                                 Index restarts, int max_iter, Rng& rng);

}  // namespace bkernn::theory
