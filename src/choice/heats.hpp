// The rows of a race, dealt into rows to train on and rows that are held out.
#pragma once

#include <vector>

#include "bkernn/loss.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

// One part held out, the others trained on.
struct Heat {
  StandardRows training, held_out;
  double lambda_factor;  // λ of these rows for λ = 1 of all
};

// The part of each row: three, dealt along row_order().
std::vector<int> deal_parts(const StandardRows& rows);

// Two parts are held out, one after the other, or all three where rows are few. `share`: of all
// rows that these are. The weights held out are in units of all rows, so that a heat counts by what
// it holds out.
std::vector<Heat> make_heats(const StandardRows& rows, const std::vector<int>& part,
                             const Loss& loss, double share);

}  // namespace bkernn
