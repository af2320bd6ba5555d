// A preconditioner for the inner problem: its system with the kernel of the piecewise-linear functions on a few knots.
//
// The inner system is A u = b on the u with D^½ᵀu = 0,  A = D^½ K D^½ + nλ. With Q knots on each of the m particles (see
// knot_operator.hpp) K_c = (1/m) Σ_j B_j T_j B_jᵀ, where T_j is the Brownian kernel of the knots, anchored at the first one: its
// inverse P_j is the stiffness matrix of a string, tridiagonal with the reciprocal gaps. What is left, K − K_c, is made of one
// Brownian bridge per segment, so it is positive, and its eigenvalues are below about
//
//   n L / (π² Q² m)     (n rows, projections spread over a length L, particles that point in different directions)
//
// while those of K reach n L. By Woodbury, with Π_D the projection onto the u above,
//
//   (Π_D D^½ K_c D^½ Π_D + nλ)⁻¹ r = (r − Π_D D^½ B θ)/nλ,     N θ = Bᵀ D^½ r,
//   N = Bᵀ(D − D11ᵀD/1ᵀD1)B + nλ m·diag(P_1 … P_m):
//
// mQ unknowns, one Cholesky factorisation. The blocks of BᵀDB are two-dimensional histograms of the projections of two
// particles, which take O(n m²); everything else is O(n m). The matrix N must be that of *all* rows: the difference above
// cancels to nλ relative to the largest eigenvalues of K.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "bkernn/types.hpp"
#include "knot_tables.hpp"

namespace bkernn {

class KernelOperator;

class CoarsePreconditioner {
 public:
  // For the particles that K holds (Brownian kernel), D > 0 of n rows and ridge = nλ.
  CoarsePreconditioner(const KernelOperator& K, const Vector& D, double ridge);

  // z = M⁻¹ r for the columns of r, which satisfy D^½ᵀ r = 0.
  void apply(const Matrix& r, Matrix& z);

  Index unknowns() const { return masses_.size(); }

 private:
  void place_rows(const KernelOperator& K);
  void add_histograms(Matrix& N, const Vector& D) const;
  void add_stiffness(Matrix& N, double particles) const;

  Index n_, Q_;
  double ridge_, total_;
  Vector root_;                                                 // D^½
  std::vector<Vector> t_;                                       // knots of each active particle
  std::vector<Index> first_;                                    // unknown of its second knot
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic> place_;  // n × active: segment + fraction
  Vector masses_;                                               // Bᵀ D 1
  Eigen::LLT<Matrix> factor_;
  KnotTables tables_;
  Vector v_;  // n, work space of apply
};

}  // namespace bkernn
