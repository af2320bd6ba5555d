// A supremum over a sphere of directions, from which both the Gaussian complexity and the largest
// useful λ are computed.
#pragma once

#include "base/rng.hpp"
#include "bkernn/theory.hpp"

namespace bkernn::theory {

struct SphereMaximum {
  double value = 0;  // sup_{‖w‖ = 1} tr(EᵀK^(w)E), K^(w) the Brownian kernel matrix with origin 0
  Vector w;          // where it was found
};

// X is n×d, E is n×q. Projected gradient ascent from the `restarts` best of many random starts,
// from XᵀE and, on the ℓ1 sphere, from the unit vectors; see theory.hpp.
SphereMaximum maximize_on_sphere(const MatrixView& X, const Matrix& E, Sphere sphere,
                                 Index restarts, int max_iter, Rng& rng);

// w becomes the nearest point of the ℓ1 ball (Duchi et al. 2008).
void project_to_l1_ball(Vector& w);

}  // namespace bkernn::theory
