// The rows of a cross-validation and their folds; and a sample of both, where there are many.
#pragma once

#include <vector>

#include "bkernn/cross_validate.hpp"
#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

struct HeldOutRows {
  Matrix X, Y;
  DistinctRows rows;
};

struct FoldedRows {
  FoldedRows(const FitInput& input, DistinctRows rows, std::vector<int> fold, int n_folds);

  DistinctRows without(int fold) const;  // what is trained on

  DistinctRows rows;
  std::vector<int> fold;              // of each of those; −1: in none
  std::vector<HeldOutRows> held_out;  // of each fold
};

// Equal rows share a fold, unless groups or given folds keep them apart, or they lie in different
// blocks. Rows are merged if no candidate is on knots.
FoldedRows deal_folds(const FitInput& input, const std::vector<FitOptions>& candidates,
                      const CrossValidateOptions& options, bool classes);

// The fold of each row of the input; −1 for those without weight.
std::vector<int> folds_of_input(const DistinctRows& rows, const std::vector<int>& folds);

// About `count` of all rows, in the folds that they have there, each fold by its share and drawn
// along row_order(): the same however rows are permuted and in whatever units they come. `standard`
// are all rows.
FoldedRows draw_sample(const FitInput& input, const FoldedRows& all, const StandardRows& standard,
                       Index count, std::uint64_t seed);

}  // namespace bkernn
