// One training set, many λ: what a fold of a cross-validation does. The rows are prepared once, and
// every λ has its own fit of them, as fit() would do it.
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
#include "problem/make_objective.hpp"
#include "rows/prepared_data.hpp"
#include "rows/shard.hpp"

namespace bkernn {

// Directions in the units of X, and the rows that they have been learned from.
struct Learned {
  Matrix W;
  Index rows = 0;
};

class PathWalk {
 public:
  // `rows` of the input; options.regularization is ignored. Without `stages`, exact fits see all
  // rows at once: a few iterations do not take long there. (On knots they would.)
  PathWalk(const FitInput& input, const DistinctRows& rows, const FitOptions& options, bool stages);

  // All three fit at this λ (in the units of y), and return false if the observer stopped them:
  // from W₀, from where the walk stands, or from what some of the rows have taught, at the first
  // stage that has more of them (at W₀ if that is the constant model).
  bool fit(double regularization, Observer* observer = nullptr);
  bool fit_on(double regularization, Observer* observer = nullptr);
  bool fit_from(const Learned& learned, double regularization, Observer* observer = nullptr);

  // The model of the last fit.
  Model model() const;

  // f of the last fit, n×q, in the units of y.
  Matrix predict(const MatrixView& X) const;

  // Its directions.
  Learned learned() const;

  const FitReport& report() const { return report_; }
  const Matrix& W() const { return state_.W; }

 private:
  bool run(double lambda, OptimizerState state, const WarmStart* start, Observer* observer);

  const FitParts parts_;
  Shard shard_;
  const FitProblem problem_;
  const Matrix initial_;                  // W₀
  OptimizerState state_;                  // of the last fit
  std::unique_ptr<Objective> objective_;  // of the last fit; null: none yet
  FitReport report_;
};

}  // namespace bkernn
