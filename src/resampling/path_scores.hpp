// What the folds say along a path, and what is chosen by it.
#pragma once

#include "bkernn/cross_validate.hpp"
#include "resampling/scorer.hpp"

namespace bkernn {

// Of one λ.
struct PointScores {
  RowVector of_folds;
  double active = 0;                          // mean number of particles that are not 0
  int evaluations = 0, inner_iterations = 0;  // in all folds
};

// Puts the point where its λ belongs, in place of the one that is there, and says which points are
// best now.
void set_point(PathScores& path, double lambda, const PointScores& scores, const Scorer& scorer);

// The best is `patience` points back (points before the first active particle do not count) and
// one standard error away.
bool has_passed(const PathScores& path, int patience);

// Whether the best of this path is behind that of the leader by more than one standard error of
// their difference in the same folds.
bool clearly_behind(const PathScores& path, const PathScores& leader, const Scorer& scorer);

}  // namespace bkernn
