// A preconditioner for the inner problem: its system with the kernel of the piecewise-linear
// functions on a few knots.
//
// The inner system is A u = b on the u with D^½ᵀu = 0,  A = D^½ K D^½ + nλ. With Q knots on each of
// the m particles (knot_layout.hpp) K_c = (1/m) Σ_j B_j P_j⁻¹ B_jᵀ, where P_j⁻¹ is the Brownian
// kernel of the knots, anchored at the first one. What is left, K − K_c, is made of one Brownian
// bridge per segment, so it is positive, and its eigenvalues are below about
//
//   n L / (π² Q² m)     (n rows, projections over a length L, particles in different directions)
//
// while those of K reach n L. By Woodbury, with Π_D the projection onto the u above,
//
//   (Π_D D^½ K_c D^½ Π_D + nλ)⁻¹ r = (r − Π_D D^½ B θ)/nλ,     N θ = Bᵀ D^½ r,
//   N = Bᵀ(D − D11ᵀD/1ᵀD1)B + nλ m·diag(P_1 … P_m):
//
// mQ unknowns, one Cholesky factorization (knot_normal_matrix.hpp). The matrix N must be that of
// *all* rows: the difference above cancels to nλ relative to the largest eigenvalues of K.
#pragma once

#include <optional>

#include "bkernn/types.hpp"
#include "knots/knot_normal_matrix.hpp"
#include "knots/knot_tables.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

class CoarsePreconditioner {
 public:
  // For the particles that K holds (Brownian kernel), D > 0 of n rows and ridge = nλ.
  CoarsePreconditioner(const KernelOperator& K, const Vector& D, double ridge);

  // z = M⁻¹ r for the columns of r, which satisfy D^½ᵀ r = 0.
  void apply(const Matrix& r, Matrix& z);

  Index unknowns() const { return system_->unknowns(); }

 private:
  void place_rows(const KernelOperator& K);

  Index n_;
  double ridge_;
  Vector root_;        // D^½
  KnotLayout layout_;  // of the active particles
  Places place_;
  std::optional<KnotNormalMatrix> system_;
  KnotTables tables_;
  Vector v_;  // n, work space of apply
};

}  // namespace bkernn
