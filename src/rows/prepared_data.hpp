// Rows in this process, made ready for an exact fit: checked, merged, in its coordinates.
#pragma once

#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

struct PreparedData : Coordinates, StandardRows {};

// Throws InvalidArgument for data that cannot be fitted.
PreparedData prepare_data(const FitInput& input, const FitOptions& options, const Loss& loss);

// The same for rows that are checked and merged already.
PreparedData prepare_data(const FitInput& input, const DistinctRows& rows,
                          const FitOptions& options, const Loss& loss);

}  // namespace bkernn
