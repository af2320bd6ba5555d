// The coordinates of a fit, z = (x − center)/scale and (y − target_center)/target_scale, and rows
// in them.
#pragma once

#include <cmath>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

// What is known of all rows of a fit, wherever they lie.
struct Coordinates {
  Index n = 0;                                     // rows with a positive weight
  double total_weight = 0;                         // Σ of the weights as given
  RowVector center, scale;                         // d
  Eigen::Array<bool, 1, Eigen::Dynamic> constant;  // d: columns that do not vary
  RowVector target_center, target_scale;           // q
  RowVector target_spread;  // q: deviation of y; 1 where f is on another scale (classes, counts)
  double largest_norm = 0;  // max_i ‖z_i‖
  // Where the coordinates of each variable, and of each block of one scale, begin, and their end
  // (columns.hpp); empty: each stands alone.
  std::vector<Index> groups, blocks;

  // λ in units of y, for λ = 1 as the standardized problem sees it: the root mean square of
  // target_scale.
  double lambda_unit() const {
    return std::sqrt(target_scale.squaredNorm() / static_cast<double>(target_scale.size()));
  }
};

// Some rows in these coordinates, or all.
struct StandardRows {
  Matrix Z;  // rows × d
  Matrix Y;  // rows × q
  Vector s;  // weights, Σs = number of rows
};

// A ← (A − center)/scale, column by column. Columns of scale 0 become 0.
inline void standardize(Matrix& A, const RowVector& center, const RowVector& scale) {
  for (Index a = 0; a < A.cols(); ++a) {
    if (scale(a) == 0) {
      A.col(a).setZero();
      continue;
    }
    A.col(a).array() -= center(a);
    A.col(a) /= scale(a);
  }
}

}  // namespace bkernn
