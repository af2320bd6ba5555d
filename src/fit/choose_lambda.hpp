// λ where none is given, as the standardized problem sees it (Coordinates::lambda_unit).
#pragma once

#include "fit/fit_problem.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

// λ of the options: the one given, or that of their rule.
double choose_lambda(const FitProblem& problem);

// λ of the automatic rule (fit.hpp), for an exact fit.
double automatic_lambda(const PreparedData& data, const Loss& loss);

}  // namespace bkernn
