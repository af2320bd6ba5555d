// G(W) by the dual variables α of all rows (inner_solver.hpp), with any kernel operator.
#pragma once

#include "inner/inner_solver.hpp"
#include "objective/objective.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

class DualObjective : public Objective {
 public:
  DualObjective(KernelOperator& K, InnerSolver& inner, double lambda)
      : Objective(lambda), K_(K), solver_(inner) {}

  Matrix gradient() override { return -lambda() * K_.particle_gradient(trial_.alpha); }
  void keep() override;
  InnerState save() const override;
  void restore(const Matrix& W, const InnerState& state) override;
  RowVector intercept() const override { return trial_.intercept; }
  std::vector<RidgeFunction> functions() const override { return K_.functions(trial_.alpha); }
  Matrix alpha() const override { return trial_.alpha; }
  Matrix predict(const Matrix& Z) const override;
  Index rows() const override { return K_.rows(); }
  void describe(FitReport& report) const override;
  double gradient_scale() const override { return solver_.gradient_scale(); }

  // Inner problems start from this α and c.
  void start_from(Matrix alpha, RowVector intercept);

  const InnerSolution& solution() const { return trial_; }

 protected:
  Inner solve(const Matrix& W, double tolerance, bool verify) override;

 private:
  KernelOperator& K_;
  InnerSolver& solver_;
  InnerSolution kept_, trial_;
  Matrix kept_W_;  // of kept_, once there is one
};

}  // namespace bkernn
