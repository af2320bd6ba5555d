// The inner problem of the piecewise-linear functions on given knots, as a matrix. With B and P of
// knot_layout.hpp and weights D of the rows, the intercept eliminated,
//
//   N = Bᵀ(D − D11ᵀD/1ᵀD1)B + stiffness·diag(P_1 … P_m).
//
// The blocks of BᵀDB are two-dimensional histograms of the places of two particles, which take
// O(n m²).
#pragma once

#include <Eigen/Cholesky>

#include "bkernn/types.hpp"
#include "knots/knot_layout.hpp"

namespace bkernn {

class KnotNormalMatrix {
 public:
  KnotNormalMatrix(const Places& place, const KnotLayout& layout, const Vector& D,
                   double stiffness);

  // θ ← N⁻¹ θ.
  void solve(Vector& theta) const {
    if (theta.size() > 0) factor_.solveInPlace(theta);
  }

  Index unknowns() const { return masses_.size(); }
  const Vector& masses() const { return masses_; }  // Bᵀ D 1
  double total() const { return total_; }           // 1ᵀ D 1

 private:
  Vector masses_;
  double total_;
  Eigen::LLT<Matrix> factor_;
};

}  // namespace bkernn
