#include "outer/search.hpp"

#include <cmath>
#include <limits>

#include "base/many_rows.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

constexpr double kTightTolerance = 1e-10;  // of the returned α …
constexpr double kManyTolerance = 1e-6;    // … and for many rows, where every digit takes seconds
constexpr double kLargestWeight = 1e150;   // of W, rows being at most 1e100

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
  if (options_.inner_tol == 0) inner_tol_ = rule_.inner_tolerance(*this, inner_tol_);
}

void Search::find_gradient() {
  choose_inner_tolerance();
  gradient_ = objective_.gradient();
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

double Search::negligible() const {
  const bool asked = options_.few_steps && state.stage > 0;
  return asked ? options_.worthwhile(state.stage) * std::abs(value()) : 0;
}

void Search::return_to_best() {
  choose_inner_tolerance();
  state.W = state.best_W;
  state.previous_W.resize(0, 0);
  state.previous_gradient.resize(0, 0);
  start_from_here();
}

void Search::finish(bool tightly) {
  state.W = state.best_W;
  if (!tightly) return;
  const double tolerance = objective_.rows() > kManyRows ? kManyTolerance : kTightTolerance;
  state.smooth = objective_.evaluate(state.W, tolerance, true);
  state.penalty = penalty_.value(state.W);
}

}  // namespace bkernn
