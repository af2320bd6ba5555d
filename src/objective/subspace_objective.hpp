// An objective on directions that stay within a space. Its columns P (d×k) are orthonormal, and
//
//   W = P V,    G_P(V) = G(P V),    ∂G_P/∂V = Pᵀ ∂G/∂W,    V being k×m.
#pragma once

#include "objective/objective.hpp"

namespace bkernn {

class SubspaceObjective final : public Objective {
 public:
  SubspaceObjective(Objective& whole, const Matrix& P)
      : Objective(whole.lambda()), whole_(whole), P_(P) {}

  Matrix gradient() override { return P_.transpose() * whole_.gradient(); }
  void keep() override { whole_.keep(); }
  InnerState save() const override { return whole_.save(); }
  void restore(const Matrix& V, const InnerState& state) override { whole_.restore(P_ * V, state); }
  RowVector intercept() const override { return whole_.intercept(); }
  std::vector<RidgeFunction> functions() const override { return whole_.functions(); }
  Matrix predict(const Matrix& Z) const override { return whole_.predict(Z); }
  Matrix alpha() const override { return whole_.alpha(); }
  Index rows() const override { return whole_.rows(); }
  void describe(FitReport& report) const override { whole_.describe(report); }
  double gradient_scale() const override { return whole_.gradient_scale(); }

 protected:
  Inner solve(const Matrix& V, double tolerance, bool verify) override {
    whole_.evaluate(P_ * V, tolerance, verify);
    return whole_.inner();
  }

 private:
  Objective& whole_;
  const Matrix& P_;
};

}  // namespace bkernn
