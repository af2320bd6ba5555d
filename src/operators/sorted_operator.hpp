// Exact products by sorted prefix sums, for Markov kernels (see MarkovKernel::add_product).
#pragma once

#include "operators/kernel_operator.hpp"

namespace bkernn {

class SortedOperator final : public KernelOperator {
 public:
  SortedOperator(const Matrix& X, const MarkovKernel& kernel)
      : KernelOperator(X, kernel), markov_(kernel) {}

  std::string name() const override { return "sorted"; }
  void apply(const Matrix& V, Matrix& out) override;
  std::vector<RidgeFunction> functions(const Matrix& alpha) const override;

 protected:
  void prepare() override;
  void add_slopes(Index a, const double* alpha, double* out) const override;

 private:
  SortedParticle particle(Index a) const;

  const MarkovKernel& markov_;
  std::vector<std::int32_t> order_;  // n per active particle
  std::vector<double> step_;         // n per active particle
  std::vector<std::vector<double>>
      sums_;  // private copies (v_i, Σ h(p_i)) that groups of particles add to; summed in
              // order, so that threads do not change the result
};

}  // namespace bkernn
