#include "operators/knot_operator.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "knots/knot_normal_matrix.hpp"
#include "loops/knot_passes.hpp"

namespace bkernn {
namespace {

constexpr Index kRowsPerKnot = 32;  // sampled to place the knots

}  // namespace

KnotOperator::KnotOperator(const Matrix& X, const Kernel& kernel, Index knots, std::uint64_t seed)
    : KernelOperator(X, kernel),
      Q_(knots),
      sample_(Rng(seed).sample(X.rows(), kRowsPerKnot * knots)),
      tables_(X.rows()) {
  require(kernel.piecewise_linear(), "kernel", kernel.name(),
          "the knots operator needs the brownian kernel");
  require(knots >= 2, "knots", knots, "must be at least 2");
}

void KnotOperator::prepare() {
  const Index n = rows(), count = active_count();
  Knots knots(count);
  place_.resize(n, count);
  parallel_for((count + 3) / 4, static_cast<double>(n * count) * 20, [&](Index group) {
    const Index begin = group * 4, end = std::min(count, begin + 4);
    const Matrix P = project(begin, end);
    for (Index a = begin; a < end; ++a) {
      const auto p = P.col(a - begin);
      knots[a] = choose_knots(p(sample_), p.minCoeff(), p.maxCoeff(), Q_);
      place_on_knots(knots[a], n, p.data(), place_.col(a).data());
    }
  });
  layout_ = KnotLayout(std::move(knots));
}

Vector KnotOperator::values_from_masses(Index a, const Vector& s) const {
  const Vector& t = layout_.knots(a);
  Vector h(t.size());
  double C = 0;
  h(0) = 0;
  for (Index k = 0; k + 1 < t.size(); ++k) {
    C += s(k);
    h(k + 1) = h(k) - C * (t(k + 1) - t(k));
  }
  return h;
}

Vector KnotOperator::knot_masses(Index a, const double* alpha) const {
  const Index knots = layout_.knots(a).size();
  Vector pairs = Vector::Zero(2 * knots), s(knots);
  loops::scatter_to_knots(rows(), place_.col(a).data(), alpha, pairs.data());
  loops::masses_from_pairs(knots, pairs.data(), s.data());
  return s;
}

void KnotOperator::apply(const Matrix& V, Matrix& out) {
  out.setZero(rows(), V.cols());
  for (Index q = 0; q < V.cols(); ++q) {
    Matrix& table = tables_.scatter(place_, V.col(q).data(), layout_.most_knots());
    for (Index a = 0; a < active_count(); ++a) {
      const Index knots = layout_.knots(a).size();
      Vector s(knots);
      loops::masses_from_pairs(knots, table.col(a).data(), s.data());
      const Vector h = values_from_masses(a, s) / static_cast<double>(W_.cols());
      loops::lines_from_values(knots, h.data(), table.col(a).data());
    }
    tables_.gather(place_, table, out.col(q).data());
  }
}

void KnotOperator::add_slopes(Index a, const double* alpha, double* out) const {
  Vector C = knot_masses(a, alpha);
  for (Index k = 1; k < C.size(); ++k) C(k) += C(k - 1);
  for (Index i = 0; i < rows(); ++i) {
    const auto k = static_cast<Index>(place_(i, a));
    const bool on_knot =
        place_(i, a) == static_cast<double>(k);  // mean of the slopes on both sides
    const double slope = on_knot ? -0.5 * ((k > 0 ? C(k - 1) : 0.0) + C(k)) : -C(k);
    out[i] += alpha[i] * slope;
  }
}

RidgeFunction KnotOperator::function(Index a, const Matrix& alpha) const {
  const Vector& t = layout_.knots(a);
  Matrix h(t.size(), alpha.cols());
  for (Index q = 0; q < alpha.cols(); ++q)
    h.col(q) = values_from_masses(a, knot_masses(a, alpha.col(q).data()));
  return {t, std::move(h)};
}

Matrix KnotOperator::gram() const {
  const Index n = rows();
  Matrix K = Matrix::Zero(n, n);
  for (Index a = 0; a < active_count(); ++a) {
    const Vector& t = layout_.knots(a);
    Matrix B = Matrix::Zero(t.size(), n);
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<Index>(place_(i, a));
      const double fraction = place_(i, a) - static_cast<double>(k);
      B(k, i) = 1 - fraction;
      if (k + 1 < t.size()) B(k + 1, i) = fraction;
    }
    Matrix distance(t.size(), t.size());
    for (Index k = 0; k < t.size(); ++k) distance.col(k) = (t.array() - t(k)).abs();
    K -= 0.5 * B.transpose() * (distance * B).eval();
  }
  K /= static_cast<double>(W_.cols());
  return K;
}

}  // namespace bkernn
