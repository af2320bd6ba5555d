#include "resampling/halves.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

#include "bkernn/penalty.hpp"

namespace bkernn {
namespace {

constexpr double kSelected = 0.1;  // of the longest row of W

// Between neighbors in between.
double quantile_of(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

Matrix leading(const Matrix& W, Index k) {
  if (W.cols() == 0 || k == 0) return Matrix(W.rows(), 0);
  const LeftSingular svd = left_singular(W);
  const Index rank = (svd.values.array() > 1e-8 * svd.values(0)).count();
  return svd.values(0) > 0 ? Matrix(svd.vectors.leftCols(std::min(k, rank))) : Matrix(W.rows(), 0);
}

void describe_halves(const std::vector<Half>& halves, const Matrix& directions,
                     const StabilityOptions& options, StabilityResult& result) {
  const Index k_found = directions.cols();
  const Index d = result.fit.model.n_features(), columns = result.fit.model.n_columns();
  result.halves = static_cast<Index>(halves.size());
  result.directions = directions;
  result.selection = Vector::Zero(columns);
  if (halves.empty()) return;
  const auto count = static_cast<double>(halves.size());
  result.angles.resize(result.halves, k_found);
  std::vector<Matrix> turned;
  for (Index h = 0; h < result.halves; ++h) {
    const Half& half = halves[h];
    const double longest = half.sizes.maxCoeff();
    if (longest > 0)
      result.selection += (half.sizes.array() > kSelected * longest).cast<double>().matrix();
    const Matrix P = leading(half.W, k_found);
    Vector cosines = Vector::Zero(k_found);
    Matrix aligned = Matrix::Zero(d, k_found);
    if (P.cols() > 0 && k_found > 0) {
      const Eigen::JacobiSVD<Matrix> svd(P.transpose() * directions,
                                         Eigen::ComputeThinU | Eigen::ComputeThinV);
      cosines.head(P.cols()) = svd.singularValues().head(P.cols());
      aligned = P * svd.matrixU() * svd.matrixV().transpose();
    }
    result.angles.row(h) =
        cosines.cwiseMin(1.0).array().acos().transpose() * (180 / std::acos(-1.0));
    turned.push_back(std::move(aligned));
  }
  result.selected = result.selection.sum() / count;
  result.selection /= count;
  result.bound = result.selected * result.selected /
                 ((2 * options.threshold - 1) * static_cast<double>(columns));
  const double low = 0.5 * (1 - options.coverage), high = 1 - low;
  result.angle_levels.resize(3, k_found);
  result.lower.resize(d, k_found);
  result.upper.resize(d, k_found);
  std::vector<double> values(halves.size());
  for (Index k = 0; k < k_found; ++k) {
    for (Index h = 0; h < result.halves; ++h) values[h] = result.angles(h, k);
    result.angle_levels.col(k) << quantile_of(values, low), quantile_of(values, 0.5),
        quantile_of(values, high);
    for (Index a = 0; a < d; ++a) {
      for (Index h = 0; h < result.halves; ++h) values[h] = turned[h](a, k);
      result.lower(a, k) = quantile_of(values, low);
      result.upper(a, k) = quantile_of(values, high);
    }
  }
}

}  // namespace bkernn
