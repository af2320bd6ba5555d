// Where the outer loop stands, W with G, Ω and ∇G, and the means to try another W⁺.
#pragma once

#include "bkernn/penalty.hpp"
#include "bkernn/types.hpp"
#include "objective/objective.hpp"
#include "outer/local_model.hpp"
#include "outer/optimizer_options.hpp"
#include "outer/optimizer_state.hpp"

namespace bkernn {

class StepRule;

// A point that a step might lead to.
struct Trial {
  Matrix W;
  double smooth = 0;   // G(W⁺)
  double penalty = 0;  // Ω(W⁺)
};

class Search {
 public:
  // All must outlive it. `options` and `rule` say how well inner problems are solved.
  Search(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
         const StepRule& rule, OptimizerState& start);

  // Evaluates G where the state stands, or takes what is known of it from the state.
  void begin();

  // ∇G(W), and with it the curvature along the step that led to W.
  void find_gradient();

  // W⁺ = prox_{γλΩ}(W − γ∇G(W)) and Ω there becomes the trial. `penalty` may be another one than
  // that of the search.
  void try_step(const Penalty& penalty, double step);
  void try_step(double step) { try_step(penalty_, step); }

  // G, infinite where projections might overflow; the trial's own is kept with it.
  double smooth_at(const Matrix& W);
  double evaluate_trial() { return trial.smooth = smooth_at(trial.W); }

  // W ← W⁺, the trial.
  void move();

  // Remembers W if it is the best so far. `validation_loss` judges with early stopping.
  void judge(double validation_loss);

  // By how much W is worse than the best one.
  double above_best() const;

  // Minimizes the model of the objective at W (local_model.hpp), and remembers the relative
  // decrease that it promises. It can if a step has shown some curvature.
  void find_model();
  bool has_curvature() const { return state.pairs.size() > 0; }
  const ModelMinimum& model() const { return model_; }

  // Solves the inner problem at W once more, ten times as accurately, as all that follow; the
  // gradient and the model are then those of the better solution. False if it is accurate enough.
  bool refine();

  // Whether W is stationary: the last models have promised no more than the tolerance.
  bool promises_little() const;

  // Goes back to the best W; what came after it is forgotten, so that the next steps may not climb
  // again. False, and nothing happens, if it has just gone back, or this W is as good.
  bool return_to_best();

  // The best W is the one to use. `tightly`: α is solved for it once more, as well as it can be.
  void finish(bool tightly);

  // The decrease promised at the W to use, solved tightly; `known` if it was the last measured.
  double last_promise(bool known);

  // G(W) + λΩ(W) here, and of any G and Ω.
  double value() const { return value(state.smooth, state.penalty); }
  double value(double smooth, double penalty) const { return smooth + weight_ * penalty; }

  const Matrix& gradient() const { return gradient_; }
  const Objective& objective() const { return objective_; }
  const Penalty& penalty() const { return penalty_; }
  const OptimizerOptions& options() const { return options_; }

  OptimizerState& state;
  Trial trial;

 private:
  void start_from_here();
  void choose_inner_tolerance();

  Objective& objective_;
  const Penalty& penalty_;
  const OptimizerOptions& options_;
  const StepRule& rule_;
  const double weight_;  // of Ω: λ·penalty_weight
  double inner_tol_;
  Matrix gradient_;
  ModelMinimum model_;
};

}  // namespace bkernn
