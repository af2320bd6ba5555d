// Which row is held out when, and how what is held out is judged.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bkernn/cross_validate.hpp"
#include "bkernn/loss.hpp"

namespace bkernn {

// The fold of each row of Y; −1 for rows in none. Every fold has a row, and leaves two to train on.
// Groups and folds that are given are those of these rows.
std::vector<int> assign_folds(const MatrixView& Y, const CrossValidateOptions& options,
                              bool classification);

// The score of predictions F (n×q, f and not the response) in the units of y.
using Score = std::function<double(const Matrix& Y, const Matrix& F, const Vector* weights)>;

struct Scorer {
  Score score;
  bool higher_is_better = false;
};

// `target_scale` (q): what y is divided by before the loss sees it. Throws InvalidArgument for a
// scorer that does not suit the loss.
Scorer make_scorer(const std::string& name, const FitOptions& options,
                   const RowVector& target_scale);

}  // namespace bkernn
