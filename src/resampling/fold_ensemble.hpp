// The mean of one fit per fold, each without that fold: one model (CrossValidateOptions::ensemble).
#pragma once

#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/options.hpp"
#include "resampling/folded_rows.hpp"
#include "training/fits_watch.hpp"

namespace bkernn {

// `options` with λ of all rows: with fewer rows it is larger, by its law.
FitResult fit_without_each_fold(const FitInput& input, const FoldedRows& rows,
                                const FitOptions& options, FitsWatch& watch);

}  // namespace bkernn
