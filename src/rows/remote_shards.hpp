// Rows in several places, each of them a RowShard that is asked by messages.
#pragma once

#include "bkernn/row_shard.hpp"
#include "rows/shards.hpp"

namespace bkernn {

class RemoteShards final : public Shards {
 public:
  explicit RemoteShards(const Ask& ask) : ask_(ask) {}

  RowTotals describe() override;
  RowSums weigh(double factor) override;
  Columns squares(const Columns& center) override;
  Vector weight_below(Index k, const Vector& thresholds) override;
  double standardize(const Columns& center, const Columns& scale) override;
  StandardRows rows(const std::vector<Index>& numbers) override;

  Matrix extremes(const Matrix& W) override;
  Evaluation evaluate(const KnotLayout* layout, const Matrix& x, double quantum) override;
  Matrix product(const Matrix& v, double quantum) override;
  Matrix gradient(const RowVector& quanta) override;

 private:
  const Ask& ask_;
  Matrix firsts_;  // number of each shard's first row
};

}  // namespace bkernn
