// G(W) with functions that are piecewise linear on Q knots per particle (Brownian kernel), solved
// for their values at the knots:
//
//   minimize over θ, c   (1/n) Σ_i s_i ℓ(y_i, f_i) + (λ/2) m Σ_j θ_jᵀP_jθ_j,
//   f = Bθ + c,   θ_j = (1/m)h_j at the knots
//
// which is the inner problem of inner_solver.hpp with the kernel of those functions
// (knot_operator.hpp), in mQ unknowns instead of n. Knots are chosen by the projections of a sample
// of rows, between the extremes of all rows. A Newton step (one for the square loss) solves
//
//   (BᵀHB + nλm P) δ = −(gradient)
//
// by conjugate gradients, one pass over the rows for each product. Nothing cancels here as it does
// in Woodbury's formula, so the preconditioner may be made of the sample, scaled up: the system on
// every few knots, factorized (knot_normal_matrix.hpp), plus, for what those do not see, the
// tridiagonal block of each particle on all its knots.
//
// The rows are asked only through Shards, and never seen: they may be anywhere.
#pragma once

#include <memory>

#include "bkernn/loss.hpp"
#include "knots/knot_preconditioner.hpp"
#include "objective/objective.hpp"
#include "rows/shards.hpp"

namespace bkernn {

class KnotObjective final : public Objective {
 public:
  // n rows in `shards`, of which `sample` is a sample. Shards and loss must outlive it.
  KnotObjective(Shards& shards, Index n, StandardRows sample, const Loss& loss, double lambda,
                Index knots);

  Matrix gradient() override;
  void keep() override { kept_ = x_; }
  InnerState save() const override;
  void restore(const Matrix& W, const InnerState& state) override;
  RowVector intercept() const override { return x_.bottomRows(1); }
  std::vector<RidgeFunction> functions() const override;
  // nλ α_i = −s_i ∂ℓ/∂f_i.
  Matrix alpha() const override { return shards_.loss_gradient() / (-n_ * lambda()); }
  Matrix predict(const Matrix& Z) const override;
  Index rows() const override { return static_cast<Index>(n_); }
  void describe(FitReport& report) const override;
  double gradient_scale() const override { return gradient_scale_; }

 protected:
  Inner solve(const Matrix& W, double tolerance, bool verify) override;

 private:
  struct NewtonSystem;

  void set_particles(const Matrix& W);
  double stiffness() const;  // nλm

  // Evaluates at x: value and residual are those of x from here on.
  void evaluate_at(const Matrix& x);

  // Of a sum over all rows of numbers up to `largest`. It also has room for the place of a row
  // times such a number.
  double quantum_for(double largest) const;

  // Bounds on |(BᵀHB v)_i| and on |z_ia| Σ_q |g_iq f'_jq| for each particle j.
  double bound_of_product(const Matrix& v) const;
  RowVector bound_of_gradient() const;
  void precondition();
  double norm() const;  // of the residual: √(rᵀM⁻¹r/n)/gradient_scale
  bool newton_step(double tolerance, double now, int& iterations);

  Shards& shards_;
  const double n_;
  const StandardRows sample_;
  const Loss& loss_;
  const Index Q_;
  double gradient_scale_ = 1;
  double gradient_bound_ = 64;  // of |g_i|, for the quantum of their sums
  RowVector best_constant_;

  Matrix W_;                   // d×m
  std::vector<Index> active_;  // its columns that are not zero
  Matrix P_;                   // projections of the sample on those
  KnotLayout layout_;          // of those
  bool placed_ = false;        // whether the shards have it
  std::unique_ptr<KnotPreconditioner> preconditioner_;

  Matrix x_, kept_;  // (unknowns + 1) × q
  Matrix residual_;  // minus the gradient of n·objective at x_
  double value_ = 0;
  Evaluation found_;  // at x_
};

}  // namespace bkernn
