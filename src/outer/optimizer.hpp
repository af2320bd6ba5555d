// The outer problem:  minimize G(W) + λ·weight·Ω(W) by proximal gradient steps W⁺ = prox_{γλΩ}(W −
// γ∇G(W)). An optimizer knows a value and a gradient (Objective) and a prox (Penalty), nothing of
// kernels or losses.
//
//   paper     Algorithm 1, to the letter: γ ← 1.5γ, then halved while
//             G(W⁺) > G(W) − γ⟨∇G, G_γ⟩ + (γ/2)‖G_γ‖²,   G_γ = (W − W⁺)/γ.
//   spectral  steps of Barzilai and Borwein, γ = ‖ΔW‖²/⟨ΔW, Δ∇G⟩, but no shorter than the last one, accepted against the
//             largest of the last few objectives (the line search of SpaRSA), else halved. Such a step follows the curvature of
//             G between two points instead of its worst kink, where the steps of Algorithm 1 shrink to nothing.
//             The first step is doubled as long as the objective falls: W₀ does not know the scale of y, and the optimal W
//             may be a hundred times larger. It is judged by the convex relative of the penalty, because a concave one has almost
//             no slope left at a large W and would let the first step run away.
//             A later step to W = 0, from where no step leads away, is taken only if 0 is better than a small part of W.
//             The W with the lowest objective is returned. When that has not fallen for a while, the present W is as good or
//             the search goes back there, without its memory: steps may climb to the largest of the last few objectives, the
//             first of which is that of W₀.
#pragma once

#include <functional>

#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "objective/objective.hpp"

namespace bkernn {

struct OptimizerOptions {
  bool paper = false;
  double penalty_weight = 1;
  int max_iter = 200;
  double tol = 1e-3;
  double step_size = 500;
  int max_halvings = 60;
  double inner_tol = 0;  // 0: chosen here
  bool early_stopping = false;
  int n_iter_no_change = 20;
  bool finish = true;  // whether W is to be used with these rows: α is solved tightly at the end
  // Whether steps are so dear that a stage after the first takes only those that bring much.
  bool few_steps = false;
};

// The mean loss on validation rows for the W evaluated last.
using Validation = std::function<double()>;

// Iterates from `state` until it converges, may not go on, or is told to stop. A state without α is
// the beginning of a stage: it has W, and perhaps the step γ to begin with instead of looking for
// one. On return state.W is the W to use and `report` is filled in: with `finish` for G and α
// solved tightly for it (objective.solution()), else only why it ended. `validation` may be empty;
// with early_stopping it decides which W is the best.
void minimize(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
              const Validation& validation, Observer* observer, OptimizerState& state,
              FitReport& report);

}  // namespace bkernn
