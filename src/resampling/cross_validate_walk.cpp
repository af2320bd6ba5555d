#include "resampling/cross_validate_walk.hpp"

#include "outer/stages.hpp"
#include "problem/resolve_options.hpp"
#include "training/fit_rows.hpp"

namespace bkernn {
namespace {

// λ comes with each fit: the targets are scaled as they are when it is given.
FitParts make_parts(FitOptions options, Index rows) {
  options.regularization = 1.0;
  FitParts parts(options, rows);
  // A fold takes few iterations, so exact fits go without stages; on knots that would take long.
  if (!parts.on_knots) parts.options.schedule = "direct";
  return parts;
}

}  // namespace

PathWalk::PathWalk(const FitInput& input, const DistinctRows& rows, const FitOptions& options)
    : parts_(make_parts(options, rows.size())),
      shard_(make_shard(input, rows, *parts_.loss)),
      problem_(parts_, shard_, input.encoder),
      initial_(trial_particles(options, problem_.coordinates)) {}

bool PathWalk::fit(double regularization, bool warm, Observer* observer) {
  Choice choice{.penalty_name = parts_.options.penalty,
                .penalty = make_penalty(parts_.options.penalty, parts_.options.concavity,
                                        problem_.coordinates.groups),
                .lambda = regularization / problem_.coordinates.lambda_unit()};
  StageInput input{
      .initial = initial_, .seed = parts_.options.seed, .validation = {}, .observer = observer};
  OptimizerState state;
  state.W = initial_;
  WarmStart start;
  if (warm && objective_ && (state_.W.array() != 0).any()) {
    state.W = state_.W;
    state.step = state_.step;
    start = {objective_->alpha() * (objective_->lambda() / choice.lambda), objective_->intercept()};
    input.start = &start;
  }
  objective_.reset();  // its operator takes as much memory as the next one
  report_ = FitReport();
  objective_ = run_stages(problem_, choice, input, state, report_);
  state_ = std::move(state);
  return report_.termination != Termination::stopped;
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
