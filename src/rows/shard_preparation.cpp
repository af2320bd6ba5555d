// What a shard does before the fit begins.
#include <algorithm>

#include "base/parallel.hpp"
#include "rows/shard.hpp"

namespace bkernn {
namespace {

RowVector largest_of(const Matrix& A) {
  if (A.rows() == 0) return RowVector::Zero(A.cols());
  return A.cwiseAbs().colwise().maxCoeff();
}

RowVector sums_of(const Matrix& A, const Vector& s) {
  RowVector sums(A.cols());
  for (Index a = 0; a < A.cols(); ++a) sums(a) = A.col(a).dot(s);
  return sums;
}

RowVector squares_of(const Matrix& A, const RowVector& center, const Vector& s) {
  RowVector sums(A.cols());
  for (Index a = 0; a < A.cols(); ++a) {
    const Vector centered = A.col(a).array() - center(a);
    sums(a) = centered.cwiseAbs2().dot(s);
  }
  return sums;
}

}  // namespace

RowTotals Shard::describe() {
  return {size(), rows_.s.sum(), {largest_of(rows_.Z), largest_of(rows_.Y)}};
}

RowSums Shard::weigh(double factor) {
  rows_.s *= factor;
  return {rows_.s.sum(), {sums_of(rows_.Z, rows_.s), sums_of(rows_.Y, rows_.s)}};
}

Columns Shard::squares(const Columns& center) {
  return {squares_of(rows_.Z, center.x, rows_.s), squares_of(rows_.Y, center.y, rows_.s)};
}

Vector Shard::weight_below(Index k, const Vector& thresholds) {
  Vector found(thresholds.size());
  const auto y = rows_.Y.col(k).array();
  parallel_for(found.size(), static_cast<double>(size() * found.size()), [&](Index i) {
    found(i) = (y <= thresholds(i)).select(rows_.s.array(), 0.0).sum();
  });
  return found;
}

double Shard::standardize(const Columns& center, const Columns& scale) {
  bkernn::standardize(rows_.Z, center.x, scale.x);
  bkernn::standardize(rows_.Y, center.y, scale.y);
  return size() > 0 ? rows_.Z.rowwise().norm().maxCoeff() : 0.0;
}

StandardRows Shard::rows(const std::vector<Index>& numbers) {
  return {rows_.Z(numbers, Eigen::all), rows_.Y(numbers, Eigen::all), rows_.s(numbers)};
}

Shard make_shard(const FitInput& input, const DistinctRows& rows, const Loss& loss) {
  return {input.X(rows.rows, Eigen::all), input.Y(rows.rows, Eigen::all),
          rows.weights.size() > 0 ? rows.weights : Vector::Ones(rows.size()), loss};
}

}  // namespace bkernn
