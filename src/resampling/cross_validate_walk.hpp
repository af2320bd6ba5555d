// One training set, many λ: what a fold of a cross-validation does. The rows are prepared once, and
// every λ has its own fit of them, as fit() would do it, except that exact fits go without stages.
#pragma once

#include <memory>

#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "objective/objective.hpp"
#include "outer/optimizer_state.hpp"
#include "problem/fit_problem.hpp"
#include "rows/prepared_data.hpp"
#include "rows/shard.hpp"

namespace bkernn {

class PathWalk {
 public:
  // `rows` of the input; options.regularization is ignored.
  PathWalk(const FitInput& input, const DistinctRows& rows, const FitOptions& options);

  // Fits at this λ (in the units of y), from where the walk stands if `warm`, else from W₀. Returns
  // false if the observer stopped it.
  bool fit(double regularization, bool warm, Observer* observer = nullptr);

  // The model of the last fit.
  Model model() const;

  // f of the last fit, n×q, in the units of y.
  Matrix predict(const MatrixView& X) const;

  const FitReport& report() const { return report_; }
  const Matrix& W() const { return state_.W; }

 private:
  const FitParts parts_;
  Shard shard_;
  const FitProblem problem_;
  const Matrix initial_;                  // W₀
  OptimizerState state_;                  // of the last fit
  std::unique_ptr<Objective> objective_;  // of the last fit; null: none yet
  FitReport report_;
};

}  // namespace bkernn
