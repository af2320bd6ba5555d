// Watching a fit, and stopping or continuing it.
#pragma once

#include <vector>

#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// All that the outer loop needs in order to go on: a fit resumed from it takes the same steps, bit
// for bit, as one that was never interrupted.
struct OptimizerState {
  int iteration = 0;
  int evaluations = 0;
  int inner_iterations = 0;
  bool inner_direct = false;  // the automatic inner solver has turned to Cholesky
  Matrix coarse_W;            // where its preconditioner was made: particles and weights, if any
  RowVector coarse_weights;
  int stage = 0;        // coarse to fine: which sample of the rows
  int stage_begin = 0;  // iterations before it
  double initial_objective = 0;
  Matrix W;         // d×m, in the coordinates of the model (standardized if the fit standardizes)
  double step = 0;  // γ
  double smooth = 0;   // G(W)
  double penalty = 0;  // Ω(W)
  Matrix
      previous_W;  // the point before and its gradient: the spectral step comes from their differences
  Matrix previous_gradient;
  std::vector<double> recent;  // the last objectives, for the non-monotone line search
  Matrix
      best_W;  // lowest objective so far, or with early stopping the lowest loss on validation rows
  double best_objective = 0;  // that objective, or that loss
  int best_iteration = 0;
  Matrix alpha;  // warm start of the inner problem, n×q
  RowVector intercept;
  std::vector<IterationRecord> records;
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Called after every iteration, on the calling thread. Returning false stops the fit, which then
  // returns the best model so far.
  virtual bool on_iteration(const IterationRecord& record, const OptimizerState& state) = 0;

  // Called on the calling thread many times in every iteration, for what cannot wait for its end.
  // An exception thrown here or from on_iteration abandons the fit.
  virtual void on_work() {}
};

}  // namespace bkernn
