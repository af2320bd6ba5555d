#include "outer/optimizer.hpp"

#include "base/active_columns.hpp"
#include "base/stopwatch.hpp"
#include "outer/search.hpp"
#include "outer/step_rule.hpp"
#include "outer/stopping_rule.hpp"

namespace bkernn {
namespace {

// Writes down the iteration that has just ended, and judges its W.
void record_iteration(Search& search, const Validation& validation, const Stopwatch& watch) {
  const Objective& objective = search.objective();
  OptimizerState& state = search.state;
  IterationRecord record{.iteration = state.iteration,
                         .rows = objective.rows(),
                         .objective = search.value(),
                         .smooth = state.smooth,
                         .penalty = state.penalty,
                         .step = state.step,
                         .evaluations = objective.evaluations(),
                         .inner_iterations = objective.inner_iterations() - state.inner_iterations,
                         .active_particles = static_cast<Index>(active_columns(state.W).size())};
  if (validation) record.validation = validation();
  search.judge(record.validation);
  record.seconds = watch.seconds();
  state.records.push_back(record);
  state.evaluations = record.evaluations;
  state.inner_iterations = objective.inner_iterations();
  state.inner = objective.save();
}

bool goes_on(Observer* observer, const OptimizerState& state) {
  return observer == nullptr || observer->on_iteration(state.records.back(), FitState::view(state));
}

void describe_end(const Search& search, FitReport& report) {
  const Objective& objective = search.objective();
  report.rows = objective.rows();
  report.objective = search.value();
  report.evaluations = objective.evaluations();
  report.inner_iterations = objective.inner_iterations();
  report.inner_converged = objective.inner().converged;
  report.inner_residual = objective.inner().residual;
  report.iterations = search.state.records;
}

// Algorithm 1, with its step and its end as parts: ∇G(W), enough?, W⁺ = prox_{γλΩ}(W − γ∇G(W)),
// W ← W⁺. Without a W⁺ it goes back to the best W.
Termination iterate(Search& search, const StepRule& rule, const StoppingRule& stopping,
                    const Validation& validation, Observer* observer) {
  for (;;) {
    const Stopwatch watch;
    search.find_gradient();
    if (rule.follows_model(search) || stopping.asks_model(search)) search.find_model();
    if (const auto why = stopping.reason(search)) return *why;
    const Step step = stopping.astray(search) ? Step::none : rule.find(search);
    if (step == Step::none && !search.return_to_best()) return Termination::stalled;
    if (step == Step::none) continue;
    search.move();
    record_iteration(search, validation, watch);
    if (!goes_on(observer, search.state)) return Termination::stopped;
  }
}

}  // namespace

void minimize(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
              const Validation& validation, Observer* observer, OptimizerState& state,
              FitReport& report) {
  const std::unique_ptr<StepRule> rule = make_step_rule(options.step_rule);
  const StoppingRule stopping(options);
  Search search(objective, penalty, options, *rule, state);
  search.begin();
  report.optimizer = rule->name();
  report.initial_objective = state.initial_objective;
  report.termination = iterate(search, *rule, stopping, validation, observer);
  search.finish(options.finish);
  if (!options.finish) return;
  report.promised_decrease = search.last_promise(report.termination == Termination::converged);
  describe_end(search, report);
}

}  // namespace bkernn
