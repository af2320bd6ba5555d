#include "fit/cross_validate_walk.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "fit/resolve_options.hpp"
#include "inner/inner_solver.hpp"
#include "objective/dual_objective.hpp"
#include "theory/theory_ascent.hpp"

namespace bkernn {

namespace {

// λ comes with each fit: the targets are scaled as they are when it is given.
FitOptions with_regularization(FitOptions options) {
  options.regularization = 1.0;
  return options;
}

std::unique_ptr<KernelOperator> make_products(const FitOptions& options, const Kernel& kernel,
                                              const Matrix& Z) {
  const OperatorChoice choice = choose_operator(options, kernel, Z.rows());
  return make_operator(choice.name, Z, kernel, choice.knots, options.seed);
}

}  // namespace

PathWalk::PathWalk(const FitInput& input, const FitOptions& options)
    : options_(with_regularization(options)),
      kernel_(make_kernel(options.kernel)),
      loss_(make_loss(options.loss, options.loss_parameters)),
      penalty_(make_penalty(options.penalty, options.concavity)),
      data_(prepare_data(input, options_, *loss_)),
      K_(make_products(options, *kernel_, data_.Z)),
      initial_(initial_particles(options, data_)) {}

bool PathWalk::fit(double regularization, bool warm, Observer* observer) {
  const double lambda = regularization / target_scale_rms(data_);
  warm = warm && lambda_ > 0 && (state_.W.array() != 0).any();
  InnerSolver inner(*loss_, data_.Y, data_.s, lambda, choose_inner(options_.inner_solver),
                    choose_preconditioning(options_.preconditioner));
  DualObjective objective(*K_, inner, lambda);
  OptimizerState state;
  state.W = warm ? state_.W : initial_;
  if (warm) {
    state.step = state_.step;
    objective.start_from(alpha_ * (lambda_ / lambda), intercept_);
  }
  report_ = FitReport();
  minimize(objective, *penalty_, outer_options(options_), {}, observer, state, report_);
  state_ = std::move(state);
  lambda_ = lambda;
  alpha_ = objective.solution().alpha;
  intercept_ = objective.solution().intercept;
  return report_.termination != Termination::stopped;
}

Matrix PathWalk::predict(const MatrixView& X) const {
  const Matrix Z = ((X.rowwise() - data_.center).array().rowwise() / data_.scale.array()).matrix();
  const Matrix F = K_->predict(alpha_, Z).rowwise() + intercept_;
  return (F.array().rowwise() * data_.target_scale.array()).rowwise() + data_.target_center.array();
}

double critical_lambda(const PreparedData& data, const FitOptions& options, const Loss& loss) {
  const InnerSolver constant(loss, data.Y, data.s, 1.0, InnerMethod::automatic);
  const Matrix F = constant.best_constant().replicate(data.Y.rows(), 1);
  Matrix gradient, curvature;
  loss.derivatives(data.Y, F, data.s, gradient, curvature);
  gradient.rowwise() -= gradient.colwise().mean().eval();
  Rng rng(options.seed);
  const theory::SphereMaximum found = theory::maximize_on_sphere(
      data.Z, gradient, make_penalty(options.penalty)->particle_norm(), 8, 100, rng);
  const double square = found.value / (options.penalty_weight > 0 ? options.penalty_weight : 1.0) *
                        make_kernel(options.kernel)->brownian_bound();
  return std::sqrt(square) / static_cast<double>(data.Y.rows());
}

}  // namespace bkernn
