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

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bkernn/fit.hpp"

namespace bkernn {

using Message = std::vector<Matrix>;

// The rows of one place. It answers whatever fit_distributed() asks.
class RowShard {
 public:
  // Shard number `index`: X n×d, Y n×q, weights n or empty (all 1). Of the options it uses loss and
  // number of threads. Throws InvalidArgument as fit() does.
  RowShard(Matrix X, Matrix Y, const Vector& weights, const FitOptions& options, Index index);
  ~RowShard();
  RowShard(RowShard&&) noexcept;
  RowShard& operator=(RowShard&&) noexcept;

  Message answer(const std::string& question, const Message& argument);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Puts a question to all shards; the answers in the order of the shards. What it throws abandons
// the fit.
using Ask =
    std::function<std::vector<Message>(const std::string& question, const Message& argument)>;

struct DistributedInput {
  Ask ask;
  const MatrixView* validation_X = nullptr;  // as in FitInput, here
  const MatrixView* validation_Y = nullptr;
  const FitState* resume = nullptr;
};

// options.knots ≥ 2, or 0 for 256. FitResult::alpha is empty: it stays where the rows are. The
// question "alpha", put to a shard with nλ (the number of rows of positive weight times
// FitResult::regularization) when the fit has ended, brings its part.
FitResult fit_distributed(const DistributedInput& input, const FitOptions& options,
                          Observer* observer = nullptr);

}  // namespace bkernn
