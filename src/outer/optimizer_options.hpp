// What the outer loop is told of a fit's options.
#pragma once

#include <string>

namespace bkernn {

struct OptimizerOptions {
  std::string step_rule = "auto";  // see step_rule.hpp
  double penalty_weight = 1;
  int max_iter = 500;
  double tol = 1e-3;
  double step_size = 500;
  int max_halvings = 60;
  double longest_step = 1e3;  // of spectral steps, relative to one that changes W by its own size
  double inner_tol = 0;       // 0: the step rule chooses
  bool early_stopping = false;
  int n_iter_no_change = 20;
  bool finish = true;  // whether W is to be used with these rows: α is solved tightly at the end
  // Steps take long: one small promise is enough to stop, and a stage after the first takes only
  // steps that bring much.
  bool few_steps = false;

  // The relative decrease that a stationary W may still promise. A sample of the rows need not
  // settle as closely as all of them.
  double tolerance() const { return finish ? tol : 10 * tol; }

  // The relative decrease over several iterations that is worth going on for. Later stages begin
  // near the end, and ask for more.
  double worthwhile(int stage) const { return tol * (stage == 0 ? 1 : few_steps ? 10 : 5); }
};

}  // namespace bkernn
