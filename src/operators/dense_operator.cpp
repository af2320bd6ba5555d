#include "operators/dense_operator.hpp"

#include <algorithm>
#include <numeric>

namespace bkernn {

void DenseOperator::prepare() {
  P_ = project(0, active_count());
  K_ = KernelOperator::gram();
}

void DenseOperator::add_slopes(Index a, const double* alpha, double* out) const {
  const Index n = rows();
  Vector derivative(n);
  for (Index i = 0; i < n; ++i) {
    kernel_.derivatives(n, P_.col(a).data(), P_(i, a), derivative.data());
    for (Index k = 0; k < n; ++k) out[k] += alpha[k] * alpha[i] * derivative(k);
  }
}

RidgeFunction DenseOperator::function(Index a, const Matrix& alpha) const {
  const Index n = rows();
  const auto p = P_.col(a);
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index k) { return p(i) < p(k); });
  // Rows that share a projection share a knot, with the sum of their α.
  std::vector<double> t;
  Matrix v(n, alpha.cols());
  for (const Index i : order) {
    if (t.empty() || p(i) > t.back()) {
      t.push_back(p(i));
      v.row(static_cast<Index>(t.size()) - 1).setZero();
    }
    v.row(static_cast<Index>(t.size()) - 1) += alpha.row(i);
  }
  const Index knots = static_cast<Index>(t.size());
  RidgeFunction h{Eigen::Map<Vector>(t.data(), knots), v.topRows(knots)};
  if (kernel_.markov()) {
    Vector column(knots);
    h.values.setZero();
    for (Index k = 0; k < knots; ++k) {
      kernel_.values(knots, t.data(), t[k], column.data());
      h.values += column * v.row(k);
    }
  }
  return h;
}

}  // namespace bkernn
