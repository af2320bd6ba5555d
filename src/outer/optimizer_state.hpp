// What the outer loop remembers between two iterations: the inside of a FitState, and with its
// records and counts all that a checkpoint holds.
#pragma once

#include <vector>

#include "bkernn/observer.hpp"
#include "bkernn/report.hpp"
#include "bkernn/types.hpp"
#include "objective/objective.hpp"
#include "outer/curvature.hpp"

namespace bkernn {

struct OptimizerState {
  // Where the search stands.
  Matrix W;             // d×m
  double smooth = 0;    // G(W)
  double penalty = 0;   // Ω(W)
  InnerState inner;     // the solution of the inner problem there
  int iteration = 0;    // finished so far
  int stage = 0;        // coarse to fine: which sample of the rows
  int stage_begin = 0;  // iterations before it
  double initial_objective = 0;

  // The best W so far: of the lowest objective, or with early stopping of the lowest loss on the
  // validation rows.
  Matrix best_W;
  double best_objective = 0;  // that objective, or that loss
  int best_iteration = 0;

  // What the step rule remembers.
  double step = 0;  // γ
  Matrix previous_W, previous_gradient;
  std::vector<double> recent;  // the last objectives, at most kMemory
  static constexpr std::size_t kMemory = 5;
  CurvaturePairs pairs;          // of the last steps
  std::vector<double> promises;  // relative decreases that the last models promised, see Search
  static constexpr std::size_t kPromises = 3;
  double accuracy = 1;  // of inner problems, relative to what the rule asks for; see Search::refine

  // What has happened.
  int evaluations = 0;
  int inner_iterations = 0;
  std::vector<IterationRecord> records;

  // Whether G has been evaluated at W: otherwise a stage begins here.
  bool started() const { return inner.intercept.size() > 0; }
};

}  // namespace bkernn
