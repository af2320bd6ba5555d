// From the rows as given to the rows as fitted: checked, without those of weight 0, centred and scaled.
#pragma once

#include "bkernn/fit.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"

namespace bkernn {

struct PreparedData {
  std::vector<Index> rows;                // of the input that have a positive weight
  Matrix Z;                               // rows × d: (x − center)/scale
  Matrix Y;                               // rows × q: (y − target_center)/target_scale
  Vector s;                               // weights, Σs = number of rows
  double total_weight = 0;                // Σ of the weights as given
  RowVector center, scale;                // d
  RowVector target_center, target_scale;  // q
  double largest_norm = 0;                // max_i ‖z_i‖
};

// Throws InvalidArgument for data that cannot be fitted.
PreparedData prepare_data(const FitInput& input, const FitOptions& options, const Loss& loss);

// λ in units of y, for λ = 1 as the standardised problem sees it.
double target_unit(const PreparedData& data);

}  // namespace bkernn
