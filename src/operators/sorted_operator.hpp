// Exact products by sorted prefix sums, for Markov kernels (see MarkovKernel::add_product).
#pragma once

#include "operators/kernel_operator.hpp"
#include "operators/row_places.hpp"

namespace bkernn {

class SortedOperator final : public KernelOperator {
 public:
  SortedOperator(const Matrix& X, const MarkovKernel& kernel)
      : KernelOperator(X, kernel), markov_(kernel) {}

  std::string name() const override { return "sorted"; }
  void apply(const Matrix& V, Matrix& out) override;

 protected:
  void prepare() override;
  RidgeFunction function(Index a, const Matrix& alpha) const override;
  Matrix arranged(const Matrix& V) const override { return places_.arranged(V); }
  Matrix restored(const Matrix& V) const override { return places_.restored(V); }
  void add_slopes(Index a, const double* alpha, double* out) const override;

 private:
  SortedParticle particle(Index a) const;

  const MarkovKernel& markov_;
  RowPlaces places_;
  std::vector<std::int32_t> order_;  // n per active particle: places of rows
  std::vector<double> step_;         // n per active particle
  // Pairs (v_i, Σ h(p_i)), one copy for each group of particles to add to. The copies are summed in
  // order, so that the number of threads does not change the result.
  std::vector<std::vector<double>> sums_;
};

}  // namespace bkernn
