#include "fit/fit_rows.hpp"

#include <algorithm>

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
      state.W.rows() == problem.d() &&
          state.W.cols() == particle_count(problem.parts.options, problem.coordinates) &&
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
        sample(problem, count, input.seed + static_cast<std::uint64_t>(count));
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

namespace {

// Distances between the seeds of models: far apart, so that no two fits share them.
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15;
constexpr double kMeanTolerance = 1e-4;  // of the spread of y

FitResult fit_once(const FitProblem& problem, const Choice& choice, const StageInput& input,
                   const FitState* resume) {
  OptimizerState state;
  state.W = input.initial;
  if (resume != nullptr) {
    state = resume->inside();
    check_resumed(state, problem);
  }
  FitResult result;
  const std::unique_ptr<Objective> objective =
      run_stages(problem, choice, input, state, result.report);
  objective->describe(result.report);
  result.report.knots = problem.parts.options.knots;
  result.model = assemble(problem, choice, state.W, *objective);
  result.alpha = objective->alpha();
  if (result.alpha.size() > 0) result.alpha *= problem.coordinates.target_scale.asDiagonal();
  result.W = state.W;
  return result;
}

// As one of several it needs little room: no α, which would belong to its own kernel, and fewer
// knots.
void make_small(FitResult& result, const FitProblem& problem) {
  result.alpha.resize(0, 0);
  if (problem.parts.kernel->piecewise_linear())
    result.model =
        result.model.compress(kMeanTolerance * problem.coordinates.target_scale.minCoeff());
}

// The report is that of the fit that is farthest from its minimum, with the work of all.
FitResult mean_of(const std::vector<FitResult>& results) {
  const auto order = [](const FitResult& a, const FitResult& b) {
    return std::pair(!a.report.converged(), a.report.promised_decrease) <
           std::pair(!b.report.converged(), b.report.promised_decrease);
  };
  FitResult mean;
  mean.report = std::max_element(results.begin(), results.end(), order)->report;
  if (results.back().report.termination == Termination::stopped)
    mean.report.termination = Termination::stopped;
  mean.report.models = static_cast<Index>(results.size());
  mean.report.evaluations = mean.report.inner_iterations = 0;
  std::vector<const Model*> models;
  mean.W.resize(results.front().W.rows(), 0);
  for (const FitResult& one : results) {
    mean.report.evaluations += one.report.evaluations;
    mean.report.inner_iterations += one.report.inner_iterations;
    models.push_back(&one.model);
    mean.W.conservativeResize(Eigen::NoChange, mean.W.cols() + one.W.cols());
    mean.W.rightCols(one.W.cols()) = one.W;
  }
  mean.model = Model::mean(models);
  return mean;
}

}  // namespace

FitResult fit_rows(const FitProblem& problem, const ValidationRows& validation,
                   const FitState* resume, Observer* observer) {
  const FitOptions& options = problem.parts.options;
  require(resume == nullptr || options.n_models == 1, "n_models", options.n_models,
          "must be 1 in a fit that is resumed");
  const Choice choice = choose(problem, observer);
  std::vector<FitResult> results;
  for (Index i = 0; i < options.n_models; ++i) {
    const std::uint64_t seed = options.seed + kSeedStep * static_cast<std::uint64_t>(i);
    const Matrix initial = initial_particles(options, problem.coordinates, seed);
    results.push_back(fit_once(problem, choice, {initial, seed, validation, observer}, resume));
    if (options.n_models > 1) make_small(results.back(), problem);
    if (results.back().report.termination == Termination::stopped) break;
  }
  FitResult result = results.size() == 1 ? std::move(results.front()) : mean_of(results);
  result.regularization = choice.lambda * problem.coordinates.lambda_unit();
  result.report.race = choice.race;
  result.intercept = result.model.intercept;
  if (problem.parts.kernel->homogeneous())
    result.intercept = result.model.predict(Matrix::Zero(1, problem.d()), options.n_threads).row(0);
  return result;
}

}  // namespace bkernn
