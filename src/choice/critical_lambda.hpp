#pragma once

#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

// The smallest λ, in the units of the standardized problem, at which the constant is optimal; see
// cross_validate.hpp. `groups` are those of the coordinates.
double critical_lambda(const StandardRows& rows, const std::vector<Index>& groups,
                       const FitOptions& options, const Loss& loss);

}  // namespace bkernn
