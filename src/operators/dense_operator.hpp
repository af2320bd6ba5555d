// The kernel matrix itself, n×n, for any kernel and small n.
#pragma once

#include "operators/kernel_operator.hpp"

namespace bkernn {

class DenseOperator final : public KernelOperator {
 public:
  using KernelOperator::KernelOperator;

  std::string name() const override { return "dense"; }
  void apply(const Matrix& V, Matrix& out) override { out.noalias() = K_ * V; }

 protected:
  void prepare() override;
  RidgeFunction function(Index a, const Matrix& alpha) const override;
  Matrix gram() const override { return K_; }
  void add_slopes(Index a, const double* alpha, double* out) const override;

 private:
  Matrix P_;  // projections, n × active
  Matrix K_;  // n×n
};

}  // namespace bkernn
