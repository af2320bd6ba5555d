#include "base/check_values.hpp"

#include <cmath>
#include <string>

#include "bkernn/error.hpp"

namespace bkernn {

void check_values(const MatrixView& A, const char* name) {
  for (Index k = 0; k < A.cols(); ++k) {
    for (Index i = 0; i < A.rows(); ++i) {
      const double value = A(i, k);
      if (std::abs(value) <= kLargestInput) continue;
      const std::string place =
          std::string(name) + "[" + std::to_string(i) + ", " + std::to_string(k) + "]";
      require(false, place.c_str(), value,
              std::isfinite(value) ? "must not exceed 1e100 in size" : "must be finite");
    }
  }
}

void check_weights(const Vector& weights) {
  for (Index i = 0; i < weights.size(); ++i) {
    if (!(weights(i) >= 0 && weights(i) <= kLargestInput)) {
      require(false, ("weights[" + std::to_string(i) + "]").c_str(), weights(i),
              "must lie between 0 and 1e100");
    }
  }
}

}  // namespace bkernn
