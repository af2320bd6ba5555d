#include "outer/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/many_rows.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

constexpr double kTightTolerance = 1e-10;  // of the returned α …
constexpr double kManyTolerance = 1e-4;    // … and for many rows, where every digit takes seconds
constexpr Index kTrustedPairs = 5;         // before a model is believed
constexpr double kTightestTolerance = 1e-6;  // that a step is tried with
constexpr double kLargestWeight = 1e150;     // of W, rows being at most 1e100

}  // namespace

Search::Search(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
               const StepRule& rule, OptimizerState& start)
    : state(start),
      objective_(objective),
      penalty_(penalty),
      options_(options),
      rule_(rule),
      weight_(objective.lambda() * options.penalty_weight),
      inner_tol_(options.inner_tol > 0 ? options.inner_tol
                                       : rule.first_inner_tolerance(objective.rows())) {
  choose_inner_tolerance();
}

void Search::begin() {
  objective_.count_from(state.evaluations, state.inner_iterations);
  if (state.started()) {
    objective_.restore(state.W, state.inner);
    return;
  }
  start_from_here();
  state.evaluations = objective_.evaluations();
  state.inner_iterations = objective_.inner_iterations();
  state.best_W = state.W;
  state.best_objective =
      options_.early_stopping ? std::numeric_limits<double>::infinity() : value();
  state.initial_objective = value();
  state.best_iteration = state.iteration;
  if (const double first = rule_.first_step_size(options_); first > 0) state.step = first;
}

void Search::start_from_here() {
  state.smooth = objective_.evaluate(state.W, inner_tol_);
  state.penalty = penalty_.value(state.W);
  objective_.keep();
  state.recent = {value()};
}

void Search::choose_inner_tolerance() {
  if (options_.inner_tol > 0) return;
  const double asked = rule_.inner_tolerance(*this, inner_tol_);
  inner_tol_ = std::max(state.accuracy * asked, std::min(asked, kTightestTolerance));
}

void Search::find_gradient() {
  choose_inner_tolerance();
  gradient_ = objective_.gradient();
  if (state.previous_gradient.size() > 0)
    state.pairs.add(state.W - state.previous_W, gradient_ - state.previous_gradient);
}

void Search::try_step(const Penalty& penalty, double step) {
  trial.W = state.W - step * gradient_;
  trial.penalty = penalty.prox(trial.W, step * weight_);
}

double Search::smooth_at(const Matrix& W) {
  return (W.array().abs() <= kLargestWeight).all() ? objective_.evaluate(W, inner_tol_)
                                                   : std::numeric_limits<double>::infinity();
}

void Search::move() {
  state.previous_gradient = gradient_;
  std::swap(state.previous_W, state.W);
  state.W.swap(trial.W);
  state.smooth = trial.smooth;
  state.penalty = trial.penalty;
  objective_.keep();
  state.recent.push_back(value());
  if (state.recent.size() > OptimizerState::kMemory) state.recent.erase(state.recent.begin());
  ++state.iteration;
}

void Search::judge(double validation_loss) {
  const double loss = options_.early_stopping ? validation_loss : value();
  const bool last = rule_.returns_last() && !options_.early_stopping;
  if (loss < state.best_objective || last) {
    state.best_objective = loss;
    state.best_W = state.W;
    state.best_iteration = state.iteration;
  }
}

double Search::above_best() const {
  return rule_.returns_last() || options_.early_stopping ? 0 : value() - state.best_objective;
}

void Search::find_model() {
  const Index d = state.W.rows(), m = state.W.cols();
  model_ = minimize({state.W, state.penalty, gradient_, state.pairs, penalty_, weight_},
                    proxes_per_evaluation(objective_.rows(), d, m));
  state.promises.push_back(model_.decrease / std::max(std::abs(value()), 1e-300));
  if (state.promises.size() > OptimizerState::kPromises)
    state.promises.erase(state.promises.begin());
  if (many_rows(objective_.rows())) choose_inner_tolerance();  // what a step may gain is known now
}

bool Search::refine() {
  if (inner_tol_ <= kTightestTolerance || options_.inner_tol > 0) return false;
  state.accuracy *= 0.1;
  choose_inner_tolerance();
  state.smooth = objective_.evaluate(state.W, inner_tol_);
  objective_.keep();
  gradient_ = objective_.gradient();
  find_model();
  return true;
}

bool Search::promises_little() const {
  const std::size_t asked = options_.few_steps ? 1 : OptimizerState::kPromises;
  const Index trusted = std::min(kTrustedPairs, state.W.size());
  return options_.tol > 0 && state.promises.size() >= asked && state.pairs.size() >= trusted &&
         *std::max_element(state.promises.end() - static_cast<std::ptrdiff_t>(asked),
                           state.promises.end()) <= options_.tolerance();
}

bool Search::return_to_best() {
  if (!(above_best() > 0) || state.recent.size() < 2) return false;
  choose_inner_tolerance();
  state.W = state.best_W;
  state.previous_W.resize(0, 0);
  state.previous_gradient.resize(0, 0);
  start_from_here();
  return true;
}

void Search::finish(bool tightly) {
  state.W = state.best_W;
  if (!tightly) return;
  const double tolerance = many_rows(objective_.rows()) ? kManyTolerance : kTightTolerance;
  state.smooth = objective_.evaluate(state.W, tolerance, true);
  state.penalty = penalty_.value(state.W);
}

double Search::last_promise(bool known) {
  if ((state.W.array() == 0).all()) return 0;
  if (!has_curvature()) return std::numeric_limits<double>::quiet_NaN();
  if (!known) {
    gradient_ = objective_.gradient();
    find_model();
  }
  return state.promises.back();
}

}  // namespace bkernn
