// What the model predicts when rows are moved along its leading directions and otherwise left as
// they are: the average over the rows, on the scale of the target. Without data there is one row,
// the average one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bkernn/io.hpp"
#include "tables/data_set.hpp"

namespace bkernn::report {

class Along {
 public:
  // Of the `count` first directions. `data` may be null.
  Along(const SavedModel& saved, Index count, const tables::DataSet* data);

  Index count() const { return directions_.cols(); }
  Vector direction(Index i) const { return directions_.col(i); }

  // The rows of the data that are drawn, and where they lie along direction i; none without data.
  const std::vector<Index>& drawn() const { return drawn_; }
  Vector position(Index i) const { return positions_.col(i); }

  // Where the rows, or without any those of training, lie along direction i.
  std::pair<double, double> range(Index i) const;

  // One row for each t, one column for each output of Model::predict_response.
  Matrix curve(Index i, const Vector& t) const;

  // The same for two directions, first s[0] with every t, then s[1].
  Matrix surface(Index i, Index j, const Vector& s, const Vector& t) const;

 private:
  RowVector average(const Matrix& moved) const;

  const Model& model_;
  Matrix directions_;  // d×count, orthonormal
  Matrix rows_;        // standardized, to be moved
  Matrix positions_;   // drawn × count
  std::vector<Index> drawn_;
};

// What the columns of a response are called: "probability of yes", "price", "90% quantile of y".
std::vector<std::string> output_names(const SavedModel& saved);

// The same without "probability of".
std::vector<std::string> short_output_names(const SavedModel& saved);

// At most `most` rows of n, evenly spread.
std::vector<Index> some_rows(Index n, Index most);

}  // namespace bkernn::report
