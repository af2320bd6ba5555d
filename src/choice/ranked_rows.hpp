// Rows whose numbers are taken by their ranks (columns.hpp), for the race and for the fit.
#pragma once

#include <string>

#include "problem/fit_problem.hpp"

namespace bkernn {

// The encoder of the fit with curves, learned from these of its rows (none in the subspace). Each
// column has as many coordinates as before.
Encoder rank_columns(const FitProblem& problem, const StandardRows& rows, const std::string& ranks);

// Z of these rows with the curves, standardized anew. Coordinates that are not bent stay.
Matrix bent(const FitProblem& problem, const StandardRows& rows, const Encoder& curves);

}  // namespace bkernn
