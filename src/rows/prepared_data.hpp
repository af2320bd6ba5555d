// From the rows as given to the rows as fitted: checked, without those of weight 0, centered and
// scaled.
#pragma once

#include "bkernn/fit.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"

namespace bkernn {

// The coordinates of a fit, and what else is known of all its rows.
struct Coordinates {
  Index n = 0;                                     // rows with a positive weight
  double total_weight = 0;                         // Σ of the weights as given
  RowVector center, scale;                         // d
  Eigen::Array<bool, 1, Eigen::Dynamic> constant;  // d: columns that do not vary
  RowVector target_center, target_scale;           // q
  double largest_norm = 0;                         // max_i ‖z_i‖
};

struct PreparedData : Coordinates {
  std::vector<Index> rows;  // of the input that have a positive weight
  Matrix Z;                 // rows × d: (x − center)/scale
  Matrix Y;                 // rows × q: (y − target_center)/target_scale
  Vector s;                 // weights, Σs = number of rows
};

// In single precision: sums over rows, but the same bits in whatever order, and in how many places,
// the rows were added. A fit on knots has such units, so that all it does on samples of the rows is
// the same as well.
double to_float_precision(double value);

// The same for a mean of numbers up to `largest`: to 32 bits of that. (Its own digits may be
// nothing but rounding.)
double rounded_mean(double mean, double largest);

// Throws InvalidArgument for data that cannot be fitted. `rounded`: with units in single precision.
PreparedData prepare_data(const FitInput& input, const FitOptions& options, const Loss& loss,
                          bool rounded = false);

// Interquartile range of the normal distribution, in standard deviations.
constexpr double kNormalQuartiles = 1.349;

// Whether a column with this standard deviation varies beyond rounding, `largest` being its largest
// value.
bool varies(double deviation, double largest);

// λ in units of y, for λ = 1 as the standardized problem sees it.
double target_scale_rms(const Coordinates& coordinates);

}  // namespace bkernn
