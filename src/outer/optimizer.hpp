// The outer problem:
//
//   minimize over W (d×m)   G(W) + λ·penalty_weight·Ω(W).
//
// The loop is that of Algorithm 1, W ← W⁺ with W⁺ = prox_{γλΩ}(W − γ∇G(W)); its parts are a step
// rule (step_rule.hpp), which finds γ and W⁺, and a stopping rule (stopping_rule.hpp). A rule whose
// steps may climb returns the best W it has seen, and goes back there when the objective settles
// above it.
#pragma once

#include <functional>

#include "bkernn/observer.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "objective/objective.hpp"
#include "outer/optimizer_options.hpp"
#include "outer/optimizer_state.hpp"

namespace bkernn {

// The mean loss on validation rows for the W evaluated last.
using Validation = std::function<double()>;

// Iterates from `state` until it converges, may not go on, or is told to stop. A state without an
// inner solution is the beginning of a stage: it has W, and perhaps the step γ to begin with
// instead of looking for one. On return state.W is the W to use. The report says why it ended, and
// with options.finish what G and α, solved tightly for that W, came to. `validation` may be empty;
// with early_stopping it decides which W is the best.
void minimize(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
              const Validation& validation, Observer* observer, OptimizerState& state,
              FitReport& report);

}  // namespace bkernn
