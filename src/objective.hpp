// The smooth part of the outer problem: G(W), the optimal value of the inner problem, and its gradient. By the envelope theorem
// (∂G/∂K = −(λ/2) ααᵀ at the inner optimum, for any loss)
//
//   ∂G/∂W = −λ ∂/∂W ½ tr(αᵀKα)|_α     (lemma derivative_of_G; several outputs add up).
#pragma once

#include "inner_solver.hpp"
#include "kernel_operator.hpp"

namespace bkernn {

class Objective {
 public:
  Objective(KernelOperator& K, InnerSolver& inner, double lambda)
      : K_(K), inner_(inner), lambda_(lambda) {}

  // G(W), the inner problem solved to `tolerance` from the last kept solution.
  double evaluate(const Matrix& W, double tolerance, bool verify = false);

  // ∂G/∂W at the W evaluated last.
  Matrix gradient() const { return -lambda_ * K_.particle_gradient(trial_.alpha); }

  // The W evaluated last becomes the start of the inner problems to come.
  void keep() { kept_ = trial_; }

  // Stands where evaluate(W) and keep() had ended with this solution, without solving again.
  void restore(const Matrix& W, const InnerSolver::Coarse& coarse, Matrix alpha,
               RowVector intercept);

  // Evaluations and inner iterations count on from these.
  void count_from(int evaluations, int inner_iterations);

  double lambda() const { return lambda_; }
  Index rows() const { return K_.rows(); }
  const InnerSolution& solution() const { return trial_; }
  InnerSolver& inner() { return inner_; }
  int evaluations() const { return evaluations_; }
  int inner_iterations() const { return inner_iterations_; }

 private:
  KernelOperator& K_;
  InnerSolver& inner_;
  double lambda_;
  InnerSolution kept_, trial_;
  int evaluations_ = 0;
  int inner_iterations_ = 0;
};

}  // namespace bkernn
