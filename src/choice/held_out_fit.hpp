// A fit of part of the rows, with the rows that it has not seen.
#pragma once

#include "rows/coordinates.hpp"

namespace bkernn {

struct HeldOutFit {
  StandardRows training, held_out;
  double lambda = 0;  // of the training rows
  Matrix W;           // where it ended
};

}  // namespace bkernn
