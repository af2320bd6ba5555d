#include "outer/stopping_rule.hpp"

#include <algorithm>
#include <cmath>

namespace bkernn {
namespace {

// Iterations over which the decrease is measured: in the first stage, in later ones, and in those
// whose steps take long.
constexpr int kPatience = 10;
constexpr int kStagePatience = 4;
constexpr int kFewStepsPatience = 1;
// A search creeps if so many iterations in a row took so many evaluations each, on average.
constexpr int kCreeping = 5;
constexpr int kManyTries = 3;

}  // namespace

bool StoppingRule::has_settled(const OptimizerState& state) const {
  const int patience = state.stage == 0     ? kPatience
                       : options_.few_steps ? kFewStepsPatience
                                            : kStagePatience;
  const int steps = static_cast<int>(state.recent.size()) - 1;  // that are remembered
  if (options_.tol <= 0 || state.iteration - state.stage_begin < patience ||
      steps < std::min<int>(patience, OptimizerState::kMemory - 1)) {
    return false;
  }
  double before = state.initial_objective, now = before;
  for (const IterationRecord& record : state.records) {
    if (record.iteration <= state.stage_begin) continue;
    now = std::min(now, record.objective);
    if (record.iteration <= state.iteration - patience) before = now;
  }
  return before - now <= options_.worthwhile(state.stage) * std::abs(before);
}

bool StoppingRule::astray(const Search& search) const {
  return has_settled(search.state) &&
         search.above_best() > options_.worthwhile(search.state.stage) * std::abs(search.value());
}

bool StoppingRule::creeps(const OptimizerState& state) const {
  if (!options_.few_steps || options_.tol <= 0 || state.stage == 0 ||
      state.iteration - state.stage_begin <= kCreeping)
    return false;
  const IterationRecord& now = state.records.back();
  const IterationRecord& before = state.records[state.records.size() - 1 - kCreeping];
  return now.evaluations - before.evaluations >= kCreeping * kManyTries &&
         before.objective - now.objective <= options_.tol * std::abs(before.objective);
}

std::optional<Termination> StoppingRule::reason(const Search& search) const {
  const OptimizerState& state = search.state;
  if (options_.early_stopping &&
      state.iteration - state.best_iteration >= options_.n_iter_no_change)
    return Termination::early_stopped;
  if ((state.W.array() == 0).all()) return Termination::trivial;
  if (search.promises_little() && !astray(search)) return Termination::converged;
  if (creeps(state)) return Termination::stalled;
  if (state.iteration - state.stage_begin >= options_.max_iter) return Termination::max_iterations;
  return {};
}

}  // namespace bkernn
