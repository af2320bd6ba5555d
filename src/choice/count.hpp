// How many directions, and how many variables, matter.
//
// Candidates are those whose size (singular value of W, or norm of a row) is at least a tenth of
// the largest one. Those of a quarter or more are counted. What lies between may be a weak
// direction or noise: λ is chosen for its predictions, and where the convex penalty predicts best
// it leaves directions behind that are not there. So held-out rows decide, as far as there are
// fits that have not seen them: every W is projected on its k leading directions (variables), the
// functions are learned again, and the k of the least loss is the number, the smaller one of two
// that are alike.
//
// Such fits have two thirds of the rows. So where the race had a sample only, nothing is held
// against a direction that all rows show; noise leaves less behind there.
#pragma once

#include <vector>

#include "bkernn/model.hpp"
#include "choice/held_out_fit.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

Counted count(const Model& model, const FitProblem& problem, const std::vector<HeldOutFit>& fits);

}  // namespace bkernn
