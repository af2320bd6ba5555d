#include "loops/exponential.hpp"

#include "loops/instruction_sets.hpp"

namespace bkernn::loops {

BKERNN_CLONES void gaussian(Index n, const double* p, double b, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = exp_minus(0.5 * (p[i] - b) * (p[i] - b));
}

BKERNN_CLONES void exponentials_below(Index n, const double* f, const double* top, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = exp_minus(top[i] - f[i]);
}

}  // namespace bkernn::loops
