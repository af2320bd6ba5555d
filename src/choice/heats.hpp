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

// Dealt in three parts along row_order(), of which two are held out, one after the other, or all
// three where rows are few. `share`: of all rows that these are. The weights held out are in units
// of all rows, so that a heat counts by what it holds out.
std::vector<Heat> deal_heats(const StandardRows& rows, const Loss& loss, double share);

// The same heats in other coordinates: with these Z in place of those of the rows.
std::vector<Heat> deal_heats(const StandardRows& rows, const Matrix& Z, const Loss& loss,
                             double share);

}  // namespace bkernn
