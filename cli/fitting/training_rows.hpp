// The rows of a file that are to be fitted.
#pragma once

#include "cli/options/fit_options.hpp"
#include "tables/data_set.hpp"

namespace bkernn::cli {

// The loss "auto" becomes the one that the target asks for. Several quantiles have the target once
// for each.
tables::DataSet read_training_rows(FitCommandOptions& options);

}  // namespace bkernn::cli
