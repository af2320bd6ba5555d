// Near-exact products on knots (Brownian kernel). Particle j gets Q knots t_1 < … < t_Q
// (choose_knots), both ends included. A projection in segment k at fraction u is the combination
//
//   (1 − u) t_k + u t_{k+1},
//
// which is a sparse row of B_j. Then
//
//   s = B_jᵀ v,    C = prefix sums of s,    h_{k+1} = h_k − C_k (t_{k+1} − t_k),
//   K v = (1/m) Σ_j B_j h_j
//
// is a product with the exact kernel of the piecewise-linear functions on these knots.
#pragma once

#include "knots/knot_tables.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

class KnotOperator final : public KernelOperator {
 public:
  KnotOperator(const Matrix& X, const Kernel& kernel, Index knots, std::uint64_t seed);

  std::string name() const override { return "knots"; }
  void apply(const Matrix& V, Matrix& out) override;
  std::vector<RidgeFunction> functions(const Matrix& alpha) const override;

 protected:
  void prepare() override;
  Matrix gram() const override;
  void add_slopes(Index a, const double* alpha, double* out) const override;

 private:
  // s_k, the mass of α at each knot of particle a.
  Vector knot_masses(Index a, const double* alpha) const;
  // h at the knots, from the masses.
  Vector values_from_masses(Index a, const Vector& s) const;

  Index Q_;
  std::vector<Index> sample_;  // rows whose projections decide where the knots are
  std::vector<Vector> t_;      // knots of each active particle, at most Q, increasing
  Matrix place_;  // n × active: segment + fraction in [0, 1); the last knot is a segment of its own
  KnotTables tables_;
};

}  // namespace bkernn
