// The λ of theorem "last" for data that are already prepared: what fit() and theory.hpp share.
#pragma once

#include "bkernn/theory.hpp"
#include "rows/coordinates.hpp"

namespace bkernn::theory {

// Everything but TheoryReport::regularization, which is λ in other units.
TheoryReport describe_prepared(const StandardRows& rows, double total_weight,
                               const FitOptions& fit_options, const TheoryOptions& options);

}  // namespace bkernn::theory
