// The kernel of the piecewise-linear functions on Q knots per particle (Brownian kernel), as an
// operator on the rows. With B_j of knot_layout.hpp
//
//   s = B_jᵀ v,    C = prefix sums of s,    h_{k+1} = h_k − C_k (t_{k+1} − t_k),
//   K v = (1/m) Σ_j B_j h_j.
//
// Fits on knots do not use it: they solve for the values at the knots (knot_objective.hpp), which
// are fewer. It serves those that ask for the Cholesky solver on knots (kernel_operator = knots
// with inner_solver = cholesky: one α per row), and as the oracle of knot_objective.hpp, with
// places in double precision.
#pragma once

#include "knots/knot_layout.hpp"
#include "knots/knot_tables.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

class KnotOperator final : public KernelOperator {
 public:
  KnotOperator(const Matrix& X, const Kernel& kernel, Index knots, std::uint64_t seed);

  std::string name() const override { return "knots"; }
  void apply(const Matrix& V, Matrix& out) override;

 protected:
  void prepare() override;
  RidgeFunction function(Index a, const Matrix& alpha) const override;
  Matrix gram() const override;
  void add_slopes(Index a, const double* alpha, double* out) const override;

 private:
  // s_k, the mass of α at each knot of particle a.
  Vector knot_masses(Index a, const double* alpha) const;
  // h at the knots, from the masses.
  Vector values_from_masses(Index a, const Vector& s) const;

  Index Q_;
  std::vector<Index> sample_;  // rows whose projections place the knots
  KnotLayout layout_;          // of the active particles
  Matrix place_;               // n × active
  KnotTables tables_;
};

}  // namespace bkernn
