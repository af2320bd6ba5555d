// Fitting rows that are in several places: processes or machines. Each place holds a RowShard. One
// driver runs the same fit as on one machine, on knots, and puts questions to the shards.
//
// What is sent is as small as the model:
//
//   to the shards    W and the knots
//   to the driver    m·Q sums for each product with the kernel, d·m numbers for each gradient,
//                    and samples of at most 20,000 rows: one for each coarse stage of the fit,
//                    one that places the knots and makes the preconditioner
//
// Sums over rows do not depend on how the rows are distributed. So the result is that of fit() with
// the same options on all rows, one shard after the other, bit for bit. The exceptions are
// decisions that depend on the last digits of the objective or of a mean: those are ordinary sums,
// and means are rounded.
//
// The caller decides how questions and answers are sent: the Python package uses Dask.
#pragma once

#include "bkernn/fit.hpp"
#include "bkernn/row_shard.hpp"

namespace bkernn {

struct DistributedInput {
  Ask ask;
  const MatrixView* validation_X = nullptr;  // as in FitInput; the driver has them
  const MatrixView* validation_Y = nullptr;
  const FitState* resume = nullptr;
  const Encoder* encoder = nullptr;  // as in FitInput; learn_encoder() of all places
};

// options.knots is at least 2, or 0 for 256. FitResult::alpha is empty: α stays where the rows are.
// When the fit has ended, a shard answers the question "alpha" with its part. The argument is nλ:
// the number of rows of positive weight times FitResult::regularization.
FitResult fit_distributed(const DistributedInput& input, const FitOptions& options,
                          Observer* observer = nullptr);

}  // namespace bkernn
