// Beyond so many rows, a pass over them takes long enough that a fit saves passes: the inner
// problem is preconditioned at once, the last stage takes few steps, and the final solve stops at a
// looser residual.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn {

constexpr Index kManyRows = 50000;

constexpr bool many_rows(Index n) {
  return n > kManyRows;
}

}  // namespace bkernn
