// The objective of a fit: on knots one that asks the shards (knot_objective.hpp), else one with an
// α for each row (dual_objective.hpp). fit(), fit_distributed() and cross_validate() take theirs
// from here.
#pragma once

#include <memory>

#include "objective/objective.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

// Where the inner problems of another λ ended.
struct WarmStart {
  Matrix alpha;  // scaled to the λ to come
  RowVector intercept;
};

// Of all rows of the problem, which must outlive it. On knots every W has its own unknowns, and a
// warm start is of no use.
std::unique_ptr<Objective> make_objective(const FitProblem& problem, double lambda,
                                          const WarmStart* start = nullptr);

// Of a sample of the rows, always with one α for each: so few are faster without knots. The sample
// must outlive it, as must the parts.
std::unique_ptr<Objective> make_sample_objective(const FitParts& parts, const StandardRows& sample,
                                                 double lambda);

}  // namespace bkernn
