#include "fit/fit_rows.hpp"

#include "base/active_columns.hpp"
#include "bkernn/error.hpp"
#include "fit/race.hpp"
#include "fit/resolve_options.hpp"
#include "fit/sample.hpp"
#include "outer/optimizer.hpp"
#include "outer/stages.hpp"
#include "rows/shard.hpp"

namespace bkernn {
namespace {

std::vector<Index> stages_of(const FitProblem& problem) {
  return stage_rows(problem.parts.options, problem.n(), problem.d(), problem.parts.on_knots);
}

void check_resumed(const OptimizerState& state, const FitProblem& problem) {
  const std::vector<Index> stages = stages_of(problem);
  const auto stage = static_cast<std::size_t>(state.stage);
  const Index n = stage < stages.size() ? stages[stage] : -1;
  const bool counts_knots = problem.parts.on_knots && stage + 1 == stages.size();
  require(
      state.W.rows() == problem.d() && state.W.cols() == problem.parts.options.n_particles &&
          (state.inner.unknowns.rows() == n || (counts_knots && state.inner.unknowns.rows() > 0)) &&
          state.inner.unknowns.cols() == problem.q(),
      "resume",
      std::to_string(state.inner.unknowns.rows()) + " rows, " + std::to_string(state.W.rows()) +
          " variables, " + std::to_string(state.W.cols()) + " particles",
      "must come from a fit of the same data with the same options");
}

// Mean loss on the validation rows, in the units of the fit.
Validation make_validation(const ValidationRows& rows, const FitProblem& problem,
                           const Objective& objective) {
  if (rows.X == nullptr) return {};
  const Coordinates& coordinates = problem.coordinates;
  auto Z = std::make_shared<Matrix>(*rows.X), Y = std::make_shared<Matrix>(*rows.Y);
  standardize(*Z, coordinates.center, coordinates.scale);
  standardize(*Y, coordinates.target_center, coordinates.target_scale);
  return [Z, Y, &loss = *problem.parts.loss, &objective] {
    const Matrix F = objective.predict(*Z);
    return loss.value(*Y, F, Vector::Ones(F.rows())) / static_cast<double>(F.rows());
  };
}

// Particles, functions and intercept in the units of y. Functions of homogeneous
// kernels are shifted to h(0) = 0.
Model assemble(const FitProblem& problem, const Choice& choice, const Matrix& W,
               const Objective& objective) {
  const FitOptions& options = problem.parts.options;
  const Coordinates& coordinates = problem.coordinates;
  Model model;
  model.kernel = options.kernel;
  model.loss = options.loss;
  model.penalty = choice.penalty_name;
  model.n_particles = W.cols();
  model.center = coordinates.center;
  model.scale = coordinates.scale;
  model.W = W(Eigen::all, active_columns(W));
  model.functions = objective.functions();
  model.intercept = objective.intercept();
  for (RidgeFunction& h : model.functions) {
    for (Index k = 0; k < h.values.cols(); ++k) {
      if (problem.parts.kernel->homogeneous()) {
        const double zero = 0;
        double at_zero = 0;
        const SegmentFinder knots(h.knots.size(), h.knots.data(), false);
        problem.parts.kernel->evaluate(knots, h.values.col(k).data(), 1, &zero, &at_zero);
        h.values.col(k).array() -= at_zero;
        model.intercept(k) += at_zero / static_cast<double>(W.cols());
      }
      h.values.col(k) *= coordinates.target_scale(k);
    }
  }
  model.intercept =
      model.intercept.cwiseProduct(coordinates.target_scale) + coordinates.target_center;
  return model;
}

}  // namespace

std::unique_ptr<Objective> run_stages(const FitProblem& problem, const Choice& choice,
                                      const StageInput& input, OptimizerState& state,
                                      FitReport& report) {
  const FitParts& parts = problem.parts;
  const Index n = problem.n();
  const std::vector<Index> stages = stages_of(problem);
  OptimizerOptions outer = outer_options(parts.options);
  const auto run = [&](Objective& objective) {
    const Validation validation = make_validation(input.validation, problem, objective);
    minimize(objective, *choice.penalty, outer, validation, input.observer, state, report);
  };
  bool stopped = false;
  outer.finish = false;
  for (const int last = static_cast<int>(stages.size()) - 1; state.stage < last;) {
    const Index count = stages[state.stage];
    const StandardRows some =
        sample(problem, count, parts.options.seed + static_cast<std::uint64_t>(count));
    const double share = static_cast<double>(count) / static_cast<double>(n);
    run(*make_sample_objective(parts, some, choice.lambda * lambda_of_part(share)));
    stopped = report.termination == Termination::stopped;
    state = next_stage(state, input.initial);
    if (!stopped) continue;
    state.stage = last;  // what was learned so far becomes a model of all rows
    outer.max_iter = 0;
  }
  outer.finish = true;
  outer.few_steps = takes_few_steps(n, parts.on_knots);
  std::unique_ptr<Objective> objective = make_objective(problem, choice.lambda, input.start);
  run(*objective);
  if (stopped) report.termination = Termination::stopped;
  return objective;
}

FitResult fit_rows(const FitProblem& problem, const ValidationRows& validation,
                   const FitState* resume, Observer* observer) {
  const FitOptions& options = problem.parts.options;
  const Choice choice = choose(problem, observer);
  const Matrix initial = initial_particles(options, problem.coordinates);
  OptimizerState state;
  state.W = initial;
  if (resume != nullptr) {
    state = resume->inside();
    check_resumed(state, problem);
  }
  FitResult result;
  FitReport& report = result.report;
  const std::unique_ptr<Objective> objective =
      run_stages(problem, choice, {initial, validation, observer}, state, report);
  objective->describe(report);
  report.knots = options.knots;
  report.race = choice.race;

  result.model = assemble(problem, choice, state.W, *objective);
  result.alpha = objective->alpha();
  if (result.alpha.size() > 0) result.alpha *= problem.coordinates.target_scale.asDiagonal();
  result.regularization = choice.lambda * problem.coordinates.lambda_unit();
  result.W = state.W;
  result.intercept = problem.parts.kernel->homogeneous()
                         ? RowVector(result.model.predict(Matrix::Zero(1, problem.d())).row(0))
                         : result.model.intercept;
  return result;
}

}  // namespace bkernn
