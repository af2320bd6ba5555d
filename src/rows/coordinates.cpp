#include "rows/coordinates.hpp"

#include <cmath>

namespace bkernn {

double Coordinates::lambda_unit() const {
  return std::sqrt(target_scale.squaredNorm() / static_cast<double>(target_scale.size()));
}

void standardize(Matrix& A, const RowVector& center, const RowVector& scale) {
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
