#include "objective/dual_objective.hpp"

namespace bkernn {

Objective::Inner DualObjective::solve(const Matrix& W, double tolerance, bool verify) {
  const bool last_is_nearer = solver_.loss().classifies() && kept_W_.size() == W.size() &&
                              (W - K_.W()).squaredNorm() < (W - kept_W_).squaredNorm();
  if (K_.W().size() != W.size() || K_.W() != W) K_.set_particles(W);
  if (!last_is_nearer) {
    trial_.alpha = kept_.alpha;
    trial_.intercept = kept_.intercept;
  }
  solver_.solve(K_, tolerance, trial_, verify);
  return {trial_.value, trial_.residual, trial_.iterations, trial_.converged};
}

void DualObjective::keep() {
  kept_ = trial_;
  kept_W_ = K_.W();
}

void DualObjective::start_from(Matrix alpha, RowVector intercept) {
  trial_.alpha = std::move(alpha);
  trial_.intercept = std::move(intercept);
  keep();
}

InnerState DualObjective::save() const {
  return {.unknowns = trial_.alpha,
          .intercept = trial_.intercept,
          .direct = solver_.method_in_use() == InnerMethod::cholesky,
          .coarse_W = solver_.coarse().W,
          .coarse_weights = solver_.coarse().weights};
}

void DualObjective::restore(const Matrix& W, const InnerState& state) {
  solver_.restore(K_, {state.coarse_W, state.coarse_weights});
  if (state.direct) solver_.use(InnerMethod::cholesky);
  K_.set_particles(W);
  start_from(state.unknowns, state.intercept);
}

void DualObjective::describe(FitReport& report) const {
  report.inner_solver = solver_.method_in_use() == InnerMethod::cholesky ? "cholesky" : "cg";
  report.coarse_unknowns = solver_.coarse_unknowns();
  report.kernel_operator = K_.name();
}

Matrix DualObjective::predict(const Matrix& Z) const {
  return K_.predict(trial_.alpha, Z).rowwise() + trial_.intercept;
}

}  // namespace bkernn
