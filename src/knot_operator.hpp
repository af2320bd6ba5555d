// Near-exact products on knots (Brownian kernel). Particle j gets Q knots t_1 < … < t_Q: quantiles of its projections, both ends
// included. A projection in segment k at fraction u is the combination (1 − u) t_k + u t_{k+1}: a sparse row of B_j. Then
//
//   s = B_jᵀ v,    C = prefix sums of s,    h_{k+1} = h_k − C_k (t_{k+1} − t_k),    K v = (1/m) Σ_j B_j h_j
//
// is the exact kernel of the piecewise-linear functions on those knots.
//
// Rows are summed in fixed blocks and the blocks' tables s (m·Q numbers) in block order: nothing else would have to be
// exchanged if the blocks lay on different machines.
#pragma once

#include "kernel_operator.hpp"

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
  // s += B_aᵀ v over rows [begin, end); s has length Q.
  void add_to_knots(Index a, Index begin, Index end, const double* v, double* s) const;
  // s → h, in place.
  void integrate(Index a, double* s) const;

  Index Q_;
  std::vector<Index> sample_;      // rows whose projections place the knots
  std::vector<Vector> t_;          // knots of each active particle, at most Q, increasing
  Matrix position_;                // n × active: segment + fraction in it
  std::vector<Matrix> block_sums_; // Q × active, per block of rows
};

}  // namespace bkernn
