// When to stop, and why.
//
//   early_stopped   the loss on the validation rows has not fallen for n_iter_no_change iterations
//   converged       W is stationary: the model of the objective at W (local_model.hpp) promises a
//                   relative decrease of at most tol, three times in a row; on a sample of the
//                   rows ten times tol, and where steps take long, once. Steps that do not follow
//                   the model look at it once the objective has settled: it has hardly fallen over
//                   the last iterations
//   max_iterations  the limit of a stage
//   stalled         no step lowers the objective; or, in a later stage whose steps take long, each
//                   was found only after several tries, and together they brought less than tol.
//                   (Knots move with W, which makes the objective jump a little. A search that has
//                   come down to the size of the jumps creeps along and hardly ever ends.)
//   trivial         W = 0
#pragma once

#include <optional>

#include "bkernn/report.hpp"
#include "outer/search.hpp"

namespace bkernn {

class StoppingRule {
 public:
  explicit StoppingRule(const OptimizerOptions& options) : options_(options) {}

  // Asked before a step, of the state and what follows from it: a fit resumed from its last state
  // ends at once.
  std::optional<Termination> reason(const Search& search) const;

  // Whether the objective has settled: its best value has hardly fallen for some iterations.
  bool has_settled(const OptimizerState& state) const;

  // Whether reason() should know what the model promises: once it has settled, if there is one.
  bool asks_model(const Search& search) const {
    return search.has_curvature() && has_settled(search.state);
  }

  // Whether it has settled at a W that is worse than the best one: time to go back.
  bool astray(const Search& search) const;

 private:
  bool creeps(const OptimizerState& state) const;

  const OptimizerOptions& options_;
};

}  // namespace bkernn
