// When to stop, and why.
//
//   early_stopped   the loss on the validation rows has not fallen for n_iter_no_change iterations
//   converged       the best objective of this stage has fallen by less than tol, relatively, over
//                   the last few iterations, and the present W is as good as the best one
//   max_iterations  the limit of a stage
//   trivial         W = 0
//
// Later stages of a coarse-to-fine fit begin near the end. They go on while a few iterations bring
// five times tol; where steps take long, while each brings ten times tol.
#pragma once

#include <optional>

#include "bkernn/report.hpp"
#include "outer/search.hpp"

namespace bkernn {

class StoppingRule {
 public:
  explicit StoppingRule(const OptimizerOptions& options) : options_(options) {}

  // Asked before a step, of the state alone: a fit resumed from its last state ends at once.
  std::optional<Termination> reason(const Search& search) const;

  // Whether the objective has settled, but at a W that is worse than the best one: time to go back.
  bool astray(const Search& search) const;

 private:
  bool has_settled(const OptimizerState& state) const;

  const OptimizerOptions& options_;
};

}  // namespace bkernn
