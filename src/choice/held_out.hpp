// Losses of rows that a fit has not seen.
#pragma once

#include <vector>

#include "bkernn/loss.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

// A fit of part of the rows, and the others.
struct HeldOutFit {
  StandardRows training, held_out;
  double lambda = 0;  // of the training rows
  Matrix W;           // where it ended
};

// One for each row.
Vector row_losses(const Loss& loss, const Matrix& Y, const Matrix& F);

Vector joined(const std::vector<Vector>& parts);
Matrix joined(const std::vector<Matrix>& parts);  // one below the other

struct Difference {
  double mean, error;  // and its standard error
};

// Of the losses of the same rows, with weights s.
Difference compare(const Vector& losses, const Vector& others, const Vector& s);

// Of each column its quantile of one level, or of the level of the column if there are several, of
// rows with weights s.
RowVector quantiles_of(const Matrix& values, const Vector& s, const std::vector<double>& levels);

}  // namespace bkernn
