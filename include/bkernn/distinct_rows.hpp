// Rows that count, each once. Weights are counts, so equal rows may stand as one row with the sum
// of their weights: the problem is the same, and smaller. Every exact fit does that first.
//
// The rows are put into an order of their own, by X and then by Y, column after column. So rows in
// any order give the same bits, and so do a weight of 2 and a row written twice.
//
// Fits on knots that the options ask for merge nothing, and keep the order too: rows that lie in
// several places could not do otherwise, and those fits are to be the same (distributed.hpp).
#pragma once

#include <vector>

#include "bkernn/fit_input.hpp"
#include "bkernn/options.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct DistinctRows {
  std::vector<Index> rows;   // of the input, in the order of the fit; of equal ones the first
  Vector weights;            // one for each of those; empty: all 1
  std::vector<Index> place;  // of each input row among `rows`; −1: it has no weight

  Index size() const { return static_cast<Index>(rows.size()); }
  double total_weight() const {
    return weights.size() > 0 ? weights.sum() : static_cast<double>(size());
  }
  const Vector* weights_or_null() const { return weights.size() > 0 ? &weights : nullptr; }

  // Only these, in this order. (They know their rows and weights, but no places.)
  DistinctRows part(const std::vector<Index>& which) const;

  // α of the input rows (0 without weight), from that of the distinct ones: equal rows share it by
  // weight. `given` are the weights of the input, or null.
  Matrix share_out(const Matrix& alpha, const Vector* given) const;
};

// The rows that weigh more than `least`, in their order; none are merged.
DistinctRows rows_above(double least, const FitInput& input);

// Of the largest weight. What weighs less is lost beside that in any sum, while its inverse would
// dominate a problem with one α per row: such problems go without.
constexpr double kNegligibleWeight = 1e-14;

// Rows with different labels (empty, or one per row: folds or groups) are not merged. All rows may
// be equal: then they stay as they are, since a fit needs two.
//
// A hash of each row and one sort of the hashes find copies.
DistinctRows distinct_rows(const FitInput& input, const FitOptions& options,
                           const std::vector<Index>& labels = {});

}  // namespace bkernn
