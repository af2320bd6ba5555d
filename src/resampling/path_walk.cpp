#include "resampling/path_walk.hpp"

#include "outer/stages.hpp"
#include "problem/resolve_options.hpp"
#include "training/fit_rows.hpp"

namespace bkernn {
namespace {

// λ comes with each fit: the targets are scaled as they are when it is given.
FitParts make_parts(FitOptions options, Index rows, bool stages) {
  options.regularization = 1.0;
  FitParts parts(options, rows);
  if (!stages && !parts.on_knots) parts.options.schedule = "direct";
  return parts;
}

}  // namespace

PathWalk::PathWalk(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                   bool stages)
    : parts_(make_parts(options, rows.size(), stages)),
      shard_(make_shard(input, rows, *parts_.loss)),
      problem_(parts_, shard_, input.encoder),
      initial_(trial_particles(options, problem_.coordinates)) {}

bool PathWalk::fit(double regularization, Observer* observer) {
  OptimizerState state;
  state.W = initial_;
  return run(regularization / problem_.coordinates.lambda_unit(), std::move(state), nullptr,
             observer);
}

bool PathWalk::fit_on(double regularization, Observer* observer) {
  if (!objective_ || (state_.W.array() == 0).all()) return fit(regularization, observer);
  const double lambda = regularization / problem_.coordinates.lambda_unit();
  OptimizerState state;
  state.W = state_.W;
  state.step = state_.step;
  const WarmStart start{objective_->alpha() * (objective_->lambda() / lambda),
                        objective_->intercept()};
  return run(lambda, std::move(state), &start, observer);
}

bool PathWalk::fit_from(const Learned& learned, double regularization, Observer* observer) {
  if ((learned.W.array() == 0).all()) return fit(regularization, observer);
  const Coordinates& coordinates = problem_.coordinates;
  OptimizerState state;
  state.W = coordinates.scale.asDiagonal() * learned.W;
  const std::vector<Index> stages =
      stage_rows(parts_.options, problem_.n(), problem_.d(), parts_.on_knots);
  while (stages[state.stage] < problem_.n() && stages[state.stage] <= learned.rows) ++state.stage;
  return run(regularization / coordinates.lambda_unit(), std::move(state), nullptr, observer);
}

bool PathWalk::run(double lambda, OptimizerState state, const WarmStart* start,
                   Observer* observer) {
  const Choice choice{.penalty_name = parts_.options.penalty,
                      .penalty = make_penalty(parts_.options.penalty, parts_.options.concavity,
                                              problem_.coordinates.groups),
                      .lambda = lambda};
  const StageInput input{.initial = initial_,
                         .seed = parts_.options.seed,
                         .validation = {},
                         .observer = observer,
                         .start = start};
  objective_.reset();  // its operator takes as much memory as the next one
  report_ = FitReport();
  objective_ = run_stages(problem_, choice, input, state, report_);
  state_ = std::move(state);
  return report_.termination != Termination::stopped;
}

Learned PathWalk::learned() const {
  return {problem_.coordinates.scale.cwiseInverse().asDiagonal() * state_.W, problem_.n()};
}

Model PathWalk::model() const {
  Choice choice;
  choice.penalty_name = parts_.options.penalty;
  return assemble(problem_, choice, state_.W, *objective_);
}

Matrix PathWalk::predict(const MatrixView& X) const {
  const Coordinates& coordinates = problem_.coordinates;
  Matrix Z = X;
  standardize(Z, coordinates.center, coordinates.scale);
  const Matrix F = objective_->predict(Z);
  return (F.array().rowwise() * coordinates.target_scale.array()).rowwise() +
         coordinates.target_center.array();
}

}  // namespace bkernn
