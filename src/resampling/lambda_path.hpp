// The λ that a cross-validation tries on its rows (cross_validate.hpp), in the units of y.
#pragma once

#include "bkernn/cross_validate.hpp"
#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

// As fit() will see the data when λ is given.
PreparedData prepare_for_lambda(const FitInput& input, const DistinctRows& rows, FitOptions options,
                                const Loss& loss);

// From the largest to the smallest.
Vector regularization_path(const FitInput& input, const DistinctRows& rows,
                           const FitOptions& fit_options, const CrossValidateOptions& options);

}  // namespace bkernn
