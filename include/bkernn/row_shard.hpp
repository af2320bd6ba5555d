// The rows of one of several places, and how they are asked (distributed.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bkernn/options.hpp"
#include "bkernn/types.hpp"

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

}  // namespace bkernn
