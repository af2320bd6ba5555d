// How many directions, and how many variables, matter.
//
// Those whose size (singular value of W, or norm of a row) is at least 0.4 of the largest one are
// counted, those below 0.1 are not. What lies between may be a weak direction or noise: λ is chosen
// for its predictions, and it predicts best where it still leaves some noise. So the fits that won
// the race decide, by the rows that they have not seen: every W is projected on its k leading
// directions (on the k leading variables of the model), and the functions are learned again. The
// number is the smallest k whose loss is within two standard errors of the least one.
//
// Nothing else depends on it: the model predicts with all of W.
#pragma once

#include <vector>

#include "bkernn/model.hpp"
#include "choice/held_out.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

// `fits`: one at least.
Counted count(const Model& model, const FitProblem& problem, const std::vector<HeldOutFit>& fits);

}  // namespace bkernn
