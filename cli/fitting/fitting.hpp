// From a fit to what is saved about it.
#pragma once

#include "bkernn/fit.hpp"
#include "bkernn/io.hpp"
#include "tables/data_set.hpp"

namespace bkernn::cli {

// The model with names, options, fingerprint and its scores on the training rows and, if there are
// any, the validation rows.
SavedModel describe_fit(const FitOptions& options, const tables::DataSet& train,
                        const tables::DataSet* validation, FitResult result);

}  // namespace bkernn::cli
