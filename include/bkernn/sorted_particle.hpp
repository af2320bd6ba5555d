// One particle's projections in increasing order, p_(1) ≤ … ≤ p_(n), as scans over them need it:
// order[k] is the row of p_(k+1), and step[k] is what the kernel needs to know about the gap to the
// next projection (see MarkovKernel::steps).
#pragma once

#include <cstdint>

namespace bkernn {

struct SortedParticle {
  const std::int32_t* order;  // n
  const double* step;         // n
};

}  // namespace bkernn
