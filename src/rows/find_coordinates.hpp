// From the rows as given to rows in the coordinates of a fit: centered and, with standardize,
// divided by their spread. One description for rows here and rows elsewhere, local and distributed
// fits: count and sum, center, squares, spread, standardize, each a question to the shards.
//
// A fit on knots has coordinates in single precision (`rounded`): they are made of sums over rows,
// but are the same bits in whatever order, and in how many places, the rows were added, and so is
// all that is then done with samples of the rows.
#pragma once

#include "bkernn/columns.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "rows/shards.hpp"

namespace bkernn {

// Leaves the rows of the shards in these coordinates. Throws InvalidArgument if fewer than two rows
// have a positive weight. `encoder` may be null.
Coordinates find_coordinates(Shards& shards, const FitOptions& options, const Loss& loss,
                             const Encoder* encoder, bool rounded);

// In single precision, if that can hold it.
double to_float_precision(double value);

}  // namespace bkernn
