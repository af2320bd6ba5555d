// Rows as R has them: a matrix of doubles, which is not copied, or a list of columns, each a vector
// of numbers or a factor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bkernn/bkernn.hpp"
#include "values.hpp"

namespace bkernn::r {

class Rows {
 public:
  explicit Rows(SEXP given);

  MixedRows mixed() const { return {view(), categories_}; }
  bool words() const { return !categories_.empty(); }
  Eigen::Map<const Matrix> view() const { return {data_, n_, columns_}; }

 private:
  void take_column(SEXP column, Index a);

  Matrix copied_;  // of a list
  Categories categories_;
  const double* data_ = nullptr;
  Index n_ = 0, columns_ = 0;
};

// Everything that a fit is given. R's list has: x (see Rows), y (a matrix), weights or NULL, names,
// classes, targets, options, and validation, the fraction of the rows to judge iterations by.
class Problem {
 public:
  explicit Problem(SEXP list);
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  const FitOptions& options() const { return options_; }
  const FitInput& input() const { return *input_; }

  // The coordinates of all rows, those held out as well.
  Eigen::Map<const Matrix> X() const;

  SavedModel describe(const FitResult& result, const FitOptions& options) const;

 private:
  void hold_out(double fraction);

  FitOptions options_;
  std::vector<std::string> names_, classes_, targets_;
  std::optional<Rows> rows_;
  Encoder encoder_;
  std::optional<Matrix> encoded_;
  Eigen::Map<const Matrix> Y_;
  std::optional<Vector> weights_;
  Matrix part_X_, part_Y_, held_X_, held_Y_;  // with rows held out
  std::optional<MatrixView> validation_X_, validation_Y_;
  std::optional<FitInput> input_;
};

}  // namespace bkernn::r
