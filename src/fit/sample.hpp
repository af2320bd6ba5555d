#pragma once

#include "fit/fit_problem.hpp"

namespace bkernn {

// `count` of all rows, drawn by `seed`; their weights sum to their number. Exact fits draw them
// along row_order(), so that they do not depend on how the rows came. Rows on knots may lie
// anywhere: those are drawn by their numbers.
StandardRows sample(const FitProblem& problem, Index count, std::uint64_t seed);

}  // namespace bkernn
