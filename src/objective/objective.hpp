// The smooth part of the outer problem: G(W), the optimal value of the inner problem, and its
// gradient. By the envelope theorem (∂G/∂K = −(λ/2) ααᵀ at the inner optimum, for any loss)
//
//   ∂G/∂W = −λ ∂/∂W ½ tr(αᵀKα)|_α     (lemma derivative_of_G; several outputs add up).
//
// Two of them: dual_objective.hpp solves for α with any kernel operator, knot_objective.hpp for the
// values of the functions at a few knots.
#pragma once

#include <vector>

#include "bkernn/model.hpp"
#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// What an objective must be told to go on as if it had never stopped.
struct InnerState {
  Matrix unknowns;      // α (n×q), or on knots θ, the values of the functions there
  RowVector intercept;  // q; empty: nothing has been solved yet
  bool direct = false;  // the automatic inner solver has turned to Cholesky
  // Where the preconditioner was made, if there is one: particles and weights of the rows.
  Matrix coarse_W = {};
  RowVector coarse_weights = {};
};

class Objective {
 public:
  explicit Objective(double lambda) : lambda_(lambda) {}
  virtual ~Objective() = default;

  // G(W), the inner problem solved to `tolerance` from the last kept solution: it exceeds G(W) by
  // at most about tolerance²·gradient_scale²/2. `verify` measures the final residual afresh and
  // goes on until it is met.
  double evaluate(const Matrix& W, double tolerance, bool verify = false) {
    inner_ = solve(W, tolerance, verify);
    ++evaluations_;
    inner_iterations_ += inner_.iterations;
    return inner_.value;
  }

  // ∂G/∂W at the W evaluated last.
  virtual Matrix gradient() = 0;

  // The W evaluated last becomes the start of the inner problems to come.
  virtual void keep() = 0;

  // The inner solution and the solver's own memory for the W evaluated last, and back: restore()
  // leaves the objective where evaluate(W) and keep() had left it, without solving again.
  virtual InnerState save() const = 0;
  virtual void restore(const Matrix& W, const InnerState& state) = 0;

  // Of the W evaluated last: the intercept and the functions of the particles that are not zero,
  // and the prediction for rows Z in the coordinates of the fit.
  virtual RowVector intercept() const = 0;
  virtual std::vector<RidgeFunction> functions() const = 0;
  virtual Matrix predict(const Matrix& Z) const = 0;

  // α of the W evaluated last, n×q; empty if the rows are elsewhere.
  virtual Matrix alpha() const = 0;

  virtual Index rows() const = 0;

  // Fills in how the inner problem was solved.
  virtual void describe(FitReport& report) const = 0;

  // Root mean square over rows of the loss gradient at the best constant.
  virtual double gradient_scale() const = 0;

  struct Inner {
    double value = 0;     // of the objective at the solution
    double residual = 0;  // relative, as `tolerance`
    int iterations = 0;   // products, or factorizations
    bool converged = false;
  };
  const Inner& inner() const { return inner_; }

  // Evaluations and inner iterations count on from these.
  void count_from(int evaluations, int inner_iterations) {
    evaluations_ = evaluations;
    inner_iterations_ = inner_iterations;
  }
  int evaluations() const { return evaluations_; }
  int inner_iterations() const { return inner_iterations_; }

  double lambda() const { return lambda_; }

 protected:
  virtual Inner solve(const Matrix& W, double tolerance, bool verify) = 0;

 private:
  double lambda_;
  Inner inner_;
  int evaluations_ = 0;
  int inner_iterations_ = 0;
};

}  // namespace bkernn
