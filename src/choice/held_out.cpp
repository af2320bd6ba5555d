#include "choice/held_out.hpp"

#include <algorithm>
#include <numeric>

namespace bkernn {

Difference compare(const Vector& losses, const Vector& others, const Vector& s) {
  const Vector difference = losses - others;
  const double mean = s.dot(difference) / s.sum();
  const Vector deviations = s.cwiseProduct((difference.array() - mean).matrix());
  return {mean, deviations.norm() / s.sum()};
}

Vector row_losses(const Loss& loss, const Matrix& Y, const Matrix& F) {
  Vector losses(Y.rows());
  const Vector one = Vector::Ones(1);
  for (Index i = 0; i < Y.rows(); ++i) losses(i) = loss.value(Y.row(i), F.row(i), one);
  return losses;
}

Vector joined(const std::vector<Vector>& parts) {
  Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  size = 0;
  for (const Vector& part : parts) all.segment(size, part.size()) = part, size += part.size();
  return all;
}

Matrix joined(const std::vector<Matrix>& parts) {
  Index rows = 0;
  for (const Matrix& part : parts) rows += part.rows();
  Matrix all(rows, parts.front().cols());
  rows = 0;
  for (const Matrix& part : parts) all.middleRows(rows, part.rows()) = part, rows += part.rows();
  return all;
}

RowVector quantiles_of(const Matrix& values, const Vector& s, const std::vector<double>& levels) {
  RowVector found(values.cols());
  for (Index k = 0; k < found.size(); ++k) {
    std::vector<Index> order(values.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::pair(values(a, k), a) < std::pair(values(b, k), b);
    });
    double left = levels[levels.size() > 1 ? k : 0] * s.sum();
    auto place = order.begin();
    while (place + 1 != order.end() && (left -= s(*place)) > 0) ++place;
    found(k) = values(*place, k);
  }
  return found;
}

}  // namespace bkernn
