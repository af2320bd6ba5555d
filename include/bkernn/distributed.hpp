// Fitting rows that lie in several places: processes, machines. Each place holds a RowShard; one
// driver runs the same fit as on one machine, on knots, and asks the shards. What travels is as
// small as the model: W and the knots to the shards, m·Q sums back for each product with the
// kernel, d·m numbers for each gradient. The driver also draws a sample of rows (20,000) for the
// coarse stages of the fit; sums over rows do not depend on how they are shared out. So the result
// is that of fit() with the same options on all rows, one shard after the other, bit for bit,
// unless a decision hangs on the last digits of the objective or of a mean: those are ordinary
// sums, the latter rounded.
//
// How questions and answers travel is the caller's business: the Python package sends them through
// Dask.
#pragma once

#include "bkernn/fit.hpp"
#include "bkernn/row_shard.hpp"

namespace bkernn {

struct DistributedInput {
  Ask ask;
  const MatrixView* validation_X = nullptr;  // as in FitInput, here
  const MatrixView* validation_Y = nullptr;
  const OptimizerState* resume = nullptr;
};

// options.knots ≥ 2, or 0 for 256. FitResult::alpha is empty: it stays where the rows are. The
// question "alpha", put to a shard with nλ (the number of rows of positive weight times
// FitResult::regularization) when the fit has ended, brings its part.
FitResult fit_distributed(const DistributedInput& input, const FitOptions& options,
                          Observer* observer = nullptr);

}  // namespace bkernn
