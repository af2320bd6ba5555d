#include "outer/curvature.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace bkernn {
namespace {

constexpr double kLeastCurvature = 1e-8;  // ⟨ΔW, Δ∇G⟩ relative to the norms of both

void append(Matrix& columns, const Matrix& one, Index most) {
  const Index kept = std::min(columns.cols(), most - 1);
  Matrix next(one.size(), kept + 1);
  if (kept > 0) next.leftCols(kept) = columns.rightCols(kept);
  next.col(kept) = one.reshaped();
  columns.swap(next);
}

}  // namespace

void CurvaturePairs::add(const Matrix& step, const Matrix& change) {
  const double curvature = step.cwiseProduct(change).sum();
  if (!(curvature > kLeastCurvature * step.norm() * change.norm())) return;
  const Index most = std::min(kMost, step.size());
  append(steps, step, most);
  append(changes, change, most);
}

double CurvaturePairs::sigma() const {
  return changes.rightCols(1).norm() / steps.rightCols(1).norm();
}

Curvature::Curvature(const CurvaturePairs& pairs) : pairs_(pairs), sigma_(pairs.sigma()) {
  const Index k = pairs.size();
  const Matrix SY = pairs.steps.transpose() * pairs.changes;
  Matrix inverse = Matrix::Zero(2 * k, 2 * k);
  inverse.topLeftCorner(k, k) = sigma_ * (pairs.steps.transpose() * pairs.steps);
  inverse.topRightCorner(k, k).triangularView<Eigen::StrictlyLower>() = SY;
  inverse.bottomLeftCorner(k, k) = inverse.topRightCorner(k, k).transpose();
  inverse.bottomRightCorner(k, k).diagonal() = -SY.diagonal();
  N_ = inverse.fullPivLu().inverse();
}

Matrix Curvature::times(const Matrix& V) const {
  const Index k = pairs_.size();
  const auto v = V.reshaped();
  Vector along(2 * k);
  along.head(k) = sigma_ * (pairs_.steps.transpose() * v);
  along.tail(k) = pairs_.changes.transpose() * v;
  const Vector weights = N_ * along;
  Matrix product = sigma_ * V;
  product.reshaped() -=
      pairs_.steps * (sigma_ * weights.head(k)) + pairs_.changes * weights.tail(k);
  return product;
}

}  // namespace bkernn
