// A preconditioner for the inner problem: its system with the kernel of the piecewise-linear
// functions on a few knots.
//
// The inner system is A u = b on the u with D^½ᵀu = 0, where
//
//   A = D^½ K D^½ + nλ.
//
// With Q knots on each of the m particles (see knot_operator.hpp), K is approximated by
//
//   K_c = (1/m) Σ_j B_j T_j B_jᵀ.
//
// T_j is the Brownian kernel of the knots, anchored at the first one. Its inverse P_j is the
// stiffness matrix of a string: tridiagonal, with the reciprocal gaps. The remainder K − K_c
// consists of one Brownian bridge per segment. So it is positive, and its eigenvalues are below
// about
//
//   n L / (π² Q² m)     (n rows, projections over a length L, particles in different directions),
//
// while those of K reach n L. By Woodbury's formula, with Π_D the projection onto the u above,
//
//   (Π_D D^½ K_c D^½ Π_D + nλ)⁻¹ r = (r − Π_D D^½ B θ)/nλ,
//   N θ = Bᵀ D^½ r,
//   N = Bᵀ(D − D11ᵀD/1ᵀD1)B + nλ m·diag(P_1 … P_m).
//
// This takes one Cholesky factorization with mQ unknowns (knot_normal_matrix.hpp). The matrix N
// must be that of *all* rows: in the difference above the terms cancel to nλ, relative to the
// largest eigenvalues of K.
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
