// What every fit gives.
#pragma once

#include "bkernn/model.hpp"
#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct FitResult {
  Model model;
  FitReport report;
  double regularization = 0;  // λ of the model, in the units of y
  Matrix W;                   // d×m, zero particles included, in the coordinates of the model
  // n×q; rows of weight 0 have α = 0. Rows that were merged share their α by weight.
  Matrix alpha;
  RowVector intercept;  // c of the paper: for the kernel on the rows as given, not centered
};

}  // namespace bkernn
