// Scans over the sorted projections of several particles at once: where an exact fit spends its
// time.
#pragma once

#include "bkernn/sorted_particle.hpp"
#include "bkernn/types.hpp"

namespace bkernn::loops {

// MarkovKernel::add_product of the Brownian kernel.
void brownian_product(Index n, int count, const SortedParticle* particles, int outputs,
                      double* v_out);

}  // namespace bkernn::loops
