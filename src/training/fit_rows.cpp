#include "training/fit_rows.hpp"

#include <algorithm>

#include "base/active_columns.hpp"
#include "bkernn/error.hpp"
#include "choice/count.hpp"
#include "choice/lambda_law.hpp"
#include "model/expansion.hpp"
#include "objective/subspace_objective.hpp"
#include "outer/optimizer.hpp"
#include "outer/stages.hpp"
#include "problem/resolve_options.hpp"
#include "rows/shard.hpp"
#include "training/mean_fit.hpp"

namespace bkernn {
namespace {

constexpr double kFileTolerance = 1e-4;  // of the spread of y

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

}  // namespace

Model outline(const FitProblem& problem, const Choice& choice, const Matrix& W,
              const Objective& objective) {
  const FitOptions& options = problem.parts.options;
  const Coordinates& coordinates = problem.coordinates;
  Model model;
  model.kernel = options.kernel;
  model.loss = options.loss;
  model.quantiles = problem.parts.loss->quantiles();
  model.penalty = choice.penalty_name;
  if (problem.encoder != nullptr) model.encoder = *problem.encoder;
  model.n_particles = W.cols();
  model.center = coordinates.center;
  model.scale = coordinates.scale;
  model.W = W(Eigen::all, active_columns(W));
  const bool on_lines = problem.parts.kernel_operator == "knots" || model.W.cols() == 0;
  const bool anchored = !on_lines && problem.parts.kernel->homogeneous();
  model.intercept =
      anchored ? RowVector(objective.predict(Matrix::Zero(1, problem.d()))) : objective.intercept();
  if (choice.quantile_shift.size() > 0) model.intercept += choice.quantile_shift;
  model.intercept =
      model.intercept.cwiseProduct(coordinates.target_scale) + coordinates.target_center;
  model.tolerance = kFileTolerance * coordinates.target_spread;
  if (!on_lines) {
    const Matrix alpha = objective.alpha() * coordinates.target_scale.asDiagonal();
    model.expansions = {make_expansion(model.W, problem.shards.here()->Z, alpha)};
    return model;
  }
  model.functions = objective.functions();
  for (RidgeFunction& h : model.functions) {
    for (Index k = 0; k < h.values.cols(); ++k) h.values.col(k) *= coordinates.target_scale(k);
  }
  model.anchor();
  return model;
}

Model assemble(const FitProblem& problem, const Choice& choice, const Matrix& W,
               const Objective& objective) {
  Model model = outline(problem, choice, W, objective);
  if (!model.expansions.empty()) model.follow_expansions();
  return model;
}

std::unique_ptr<Objective> run_stages(const FitProblem& problem, const Choice& choice,
                                      const StageInput& input, OptimizerState& state,
                                      FitReport& report) {
  const FitParts& parts = problem.parts;
  const Index n = problem.n();
  const std::vector<Index> stages = stages_of(problem);
  OptimizerOptions outer = outer_options(parts.options, *parts.loss);
  const auto run = [&](Objective& objective) {
    const Validation validation = make_validation(input.validation, problem, objective);
    SubspaceObjective within(objective, problem.subspace);
    Objective* const inner = problem.subspace.size() > 0 ? &within : &objective;
    minimize(*inner, *choice.penalty, outer, validation, input.observer, state, report);
  };
  bool stopped = false;
  outer.finish = false;
  for (const int last = static_cast<int>(stages.size()) - 1; state.stage < last;) {
    const Index count = stages[state.stage];
    const StandardRows some =
        sample(problem, count, input.seed + static_cast<std::uint64_t>(count));
    const double share = static_cast<double>(count) / static_cast<double>(n);
    const double lambda = stage_lambda(choice.lambda, share, *parts.loss, some);
    run(*make_sample_objective(parts, some, lambda));
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

RowVector intercept_of(const Model& model, int n_threads) {
  if (!make_kernel(model.kernel)->homogeneous()) return model.intercept;
  return model.predict(Matrix::Zero(1, model.n_features()), n_threads).row(0);
}

namespace {

FitResult fit_once(const FitProblem& problem, const Choice& choice, const StageInput& input,
                   const FitState* resume) {
  OptimizerState state;
  state.W = input.initial;
  if (resume != nullptr) {
    state = resume->inside();
    check_resumed(state, problem);
  }
  FitResult result;
  std::unique_ptr<Objective> objective = run_stages(problem, choice, input, state, result.report);
  objective->describe(result.report);
  result.report.knots = problem.parts.options.knots;
  result.W = problem.subspace.size() > 0 ? Matrix(problem.subspace * state.W) : state.W;
  result.model = outline(problem, choice, result.W, *objective);
  result.alpha = objective->alpha();
  objective.reset();
  if (!result.model.expansions.empty()) result.model.follow_expansions();
  if (result.alpha.size() > 0) result.alpha *= problem.coordinates.target_scale.asDiagonal();
  return result;
}

// As many fits as are asked for, as one.
FitResult fit_models(const FitProblem& problem, const Choice& choice,
                     const ValidationRows& validation, const FitState* resume, Observer* observer) {
  const FitOptions& options = problem.parts.options;
  std::vector<FitResult> results;
  for (Index i = 0; i < options.n_models; ++i) {
    const std::uint64_t seed = options.seed + kSeedStep * static_cast<std::uint64_t>(i);
    const Matrix initial =
        initial_particles(options, problem.coordinates, seed, problem.subspace.cols());
    results.push_back(fit_once(problem, choice, {initial, seed, validation, observer}, resume));
    if (options.n_models > 1) make_small(results.back());
    if (results.back().report.termination == Termination::stopped) break;
  }
  FitResult result = results.size() == 1 ? std::move(results.front()) : mean_of(results);
  result.regularization = choice.lambda * problem.coordinates.lambda_unit();
  result.report.race = choice.race;
  if (!choice.fits.empty() && result.report.termination != Termination::stopped)
    result.model.counted = count(result.model, problem, choice.fits);
  result.intercept = intercept_of(result.model, options.n_threads);
  return result;
}

// Of a fit within a space that is known.
FitOptions options_within(FitOptions options) {
  options.penalty = "basic";
  options.regularization.reset();
  options.regularization_rule = "auto";
  options.init.resize(0, 0);
  options.n_directions = 0;
  options.ranks = "none";
  return options;
}

// The penalty of the model still says whether its directions are variables.
FitResult refit_within(const FitProblem& problem, Index k, const ValidationRows& validation,
                       Observer* observer, const FitResult& found) {
  const FitParts parts(options_within(problem.parts.options), problem.n());
  const FitProblem within(parts, problem, found.model.directions(k));
  FitResult result = fit_models(within, choose(within, observer), validation, nullptr, observer);
  result.model.penalty = found.model.penalty;
  result.report.evaluations += found.report.evaluations;
  result.report.inner_iterations += found.report.inner_iterations;
  result.report.refit = std::exchange(result.report.race, found.report.race);
  return result;
}

}  // namespace

FitResult fit_rows(const FitProblem& problem, const Choice& choice,
                   const ValidationRows& validation, const FitState* resume, Observer* observer) {
  const FitOptions& options = problem.parts.options;
  require(resume == nullptr || options.n_models == 1, "n_models", options.n_models,
          "must be 1 in a fit that is resumed");
  require(resume == nullptr || options.n_directions == 0, "n_directions", options.n_directions,
          "must be auto in a fit that is resumed");
  FitResult result = fit_models(problem, choice, validation, resume, observer);
  const Index k = std::min(options.n_directions, result.model.rank());
  if (k == 0 || result.report.termination == Termination::stopped) return result;
  return refit_within(problem, k, validation, observer, result);
}

FitResult fit_rows(const FitProblem& problem, const ValidationRows& validation,
                   const FitState* resume, Observer* observer) {
  return fit_rows(problem, choose(problem, observer), validation, resume, observer);
}

}  // namespace bkernn
