// What is fitted: rows, targets and weights.
#pragma once

#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

class FitState;
struct Encoder;

struct FitInput {
  MatrixView X;  // n×d, finite; what `encoder` made of a table, if there is one
  MatrixView Y;  // n×q; logistic: 0 or 1; multinomial: one-hot
  // n, ≥ 0, not all 0; null: all 1. Less than 1e-14 of the largest counts as 0 (not on knots).
  const Vector* weights = nullptr;
  // Rows to judge each iteration by, with their targets; they are not fitted.
  const MatrixView* validation_X = nullptr;
  const MatrixView* validation_Y = nullptr;
  // n: the fold that each row is left out with for intervals, −1: none; null: dealt by the seed.
  const std::vector<int>* interval_folds = nullptr;
  // Go on from here (observer.hpp); data and options must be the same.
  const FitState* resume = nullptr;
  // Which coordinates belong to one column of a table (columns.hpp). It becomes part of the model.
  const Encoder* encoder = nullptr;
};

}  // namespace bkernn
