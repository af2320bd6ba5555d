// What intervals need (bkernn/intervals.hpp), of a fit that has ended.
#pragma once

#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

// Gives the model of `result` a calibration by the method that the options name, if they name one.
// If `observer` ends it, the model has none, and the fit counts as stopped. `rows` are those of the
// problem.
//
// Folds: 10, or 5 from 2,000 rows on. Each fit without a fold has its own coordinates and the W₀
// of the seed; it knows nothing of the rows that it leaves out but the λ and the penalty that all
// rows have chosen.
void calibrate(const FitInput& input, const DistinctRows& rows, const FitProblem& problem,
               const FitOptions& options, Observer* observer, FitResult& result);

// The model of a fold with no more knots than matter beside its errors on its own rows.
Model fold_model(const Model& fitted, const FitInput& input, const DistinctRows& training);

// One fold: what a model, fitted without these rows, says of them.
CalibrationPart calibration_part(Model model, const FitInput& input, const DistinctRows& held_out,
                                 bool classes);

// Throws InvalidArgument, before the fit, for what could not be calibrated after it.
void check_calibration(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                       const Loss& loss);

}  // namespace bkernn
