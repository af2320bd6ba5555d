// The exponential of the Gaussian kernel, in vector registers.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn::loops {

// out_i = exp(−(p_i − b)²/2), to about one unit in the last place. Exponents below −700 count as
// −700, so that nothing underflows.
void gaussian(Index n, const double* p, double b, double* out);

}  // namespace bkernn::loops
