// The rows of one place.
#pragma once

#include "bkernn/distinct_rows.hpp"
#include "bkernn/loss.hpp"
#include "knots/knot_tables.hpp"
#include "rows/shards.hpp"

namespace bkernn {

class Shard final : public Shards {
 public:
  // X n×d and Y n×q, as given or in the coordinates of the fit, and their weights > 0. The loss
  // must outlive it.
  Shard(Matrix X, Matrix Y, Vector weights, const Loss& loss);

  RowTotals describe() override;
  RowSums weigh(double factor) override;
  Columns squares(const Columns& center) override;
  Vector weight_below(Index k, const Vector& thresholds) override;
  double standardize(const Columns& center, const Columns& scale) override;
  StandardRows rows(const std::vector<Index>& numbers) override;
  const StandardRows* here() const override { return &rows_; }

  Matrix extremes(const Matrix& W) override;
  Evaluation evaluate(const KnotLayout* layout, const Matrix& x, double quantum) override;
  Matrix product(const Matrix& v, double quantum) override;
  Matrix gradient(const RowVector& quanta) override;
  Matrix loss_gradient() const override { return g_; }

  Index size() const { return rows_.Z.rows(); }

  // Gives the rows away; nothing else may be asked afterwards.
  StandardRows take_rows() { return std::move(rows_); }

 private:
  void begin_passes();
  void place(const KnotLayout& layout);
  void set_lines(const Matrix& x);
  Matrix unpack_sums(const IntegerMatrix& table, const IntegerVector& sums,
                     FixedPoint quantum) const;

  StandardRows rows_;  // as given until they are standardized
  const Loss& loss_;

  // Of a fit on knots.
  double max_abs_z_ = 0;
  KnotTables tables_;
  KnotLayout layout_;
  Places place_;      // the projections, until there are knots
  Matrix lines_;      // of the x evaluated last
  Matrix x_;          // evaluated last
  Matrix V_, g_, D_;  // n×q
};

// The distinct rows of the input, as given.
Shard make_shard(const FitInput& input, const DistinctRows& rows, const Loss& loss);

}  // namespace bkernn
