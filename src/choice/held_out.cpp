#include "choice/held_out.hpp"

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

}  // namespace bkernn
