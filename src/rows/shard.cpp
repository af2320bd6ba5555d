#include "rows/shard.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "loops/projections.hpp"

namespace bkernn {
namespace {

constexpr Index kGroup = 4;  // particles that are projected together

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

// V_i ← H_i V_i for some rows.
template <class Curvature, class Rows>
void apply_curvature(const Loss& loss, const Curvature& D, Rows& V) {
  if (loss.coupled()) {
    Vector along = Vector::Zero(V.rows()), total = along;
    for (Index q = 0; q < V.cols(); ++q) {  // in this order for every row
      along += D.col(q).cwiseProduct(V.col(q));
      total += D.col(q);
    }
    V.colwise() -= along.cwiseQuotient(total);
  }
  V.array() *= D.array();
}

double larger(double most, const Matrix& A) {
  return A.size() > 0 ? std::max(most, A.cwiseAbs().maxCoeff()) : most;
}

Matrix from_quanta(const IntegerMatrix& sums, FixedPoint quantum) {
  return sums.unaryExpr([quantum](std::uint64_t sum) { return quantum.value(sum); });
}

// Column sums of some rows, in quanta.
template <class Rows>
void add_column_sums(const Rows& V, FixedPoint quantum, IntegerVector& sums) {
  for (Index q = 0; q < V.cols(); ++q) {
    for (Index i = 0; i < V.rows(); ++i) sums(q) += quantum(V(i, q));
  }
}

template <class Sums>
void add_blocks(std::vector<Sums>& sums) {
  for (std::size_t block = 1; block < sums.size(); ++block) sums[0] += sums[block];
}

}  // namespace

Shard::Shard(Matrix X, Matrix Y, Vector weights, const Loss& loss)
    : rows_{std::move(X), std::move(Y), std::move(weights)}, loss_(loss), tables_(rows_.Z.rows()) {}

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

void Shard::begin_passes() {
  max_abs_z_ = larger(0, rows_.Z);
  for (Matrix* work : {&V_, &g_, &D_}) work->setZero(rows_.Y.rows(), rows_.Y.cols());
}

Matrix Shard::extremes(const Matrix& W) {
  const Matrix& Z = rows_.Z;
  const Index n = Z.rows(), d = Z.cols(), m = W.cols();
  if (place_.size() == 0) begin_passes();
  place_.resize(n, m);
  Matrix found = Matrix::Constant(2, m, -std::numeric_limits<double>::infinity());
  if (n == 0) return found;
  parallel_for((m + kGroup - 1) / kGroup, static_cast<double>(n * m * d), [&](Index group) {
    const Index begin = group * kGroup, some = std::min(kGroup, m - begin);
    Matrix P(n, some);
    loops::project(n, d, some, Z.data(), n, W.col(begin).data(), d, P.data(), n);
    for (Index a = 0; a < some; ++a) {
      auto p = place_.col(begin + a);
      p = P.col(a).cast<float>();
      found(0, begin + a) = -static_cast<double>(p.minCoeff());
      found(1, begin + a) = static_cast<double>(p.maxCoeff());
    }
  });
  return found;
}

void Shard::place(const KnotLayout& layout) {
  layout_ = layout;
  parallel_for(place_.cols(), static_cast<double>(place_.size()) * 10, [&](Index a) {
    const Vector p = place_.col(a).cast<double>();
    place_on_knots(layout_.knots(a), size(), p.data(), place_.col(a).data());
  });
}

void Shard::set_lines(const Matrix& x) {
  const Index m = layout_.particles();
  lines_.setZero(2 * layout_.most_knots(), m * x.cols());
  for (Index q = 0; q < x.cols(); ++q)
    layout_.lines_into_table(x.col(q).head(x.rows() - 1), lines_, q * m);
}

Matrix Shard::unpack_sums(const IntegerMatrix& table, const IntegerVector& sums,
                          FixedPoint quantum) const {
  IntegerMatrix x(layout_.unknowns() + 1, sums.size());
  for (Index q = 0; q < x.cols(); ++q) {
    layout_.masses_of_table(table, q * layout_.particles(), x.col(q).head(x.rows() - 1));
    x(x.rows() - 1, q) = sums(q);
  }
  return from_quanta(x, quantum);
}

Evaluation Shard::evaluate(const KnotLayout* layout, const Matrix& x, double quantum) {
  if (layout != nullptr) place(*layout);
  x_ = x;
  set_lines(x);
  const FixedPoint point(quantum);
  std::vector<Evaluation> found(tables_.blocks());
  std::vector<IntegerVector> sums(tables_.blocks(), IntegerVector::Zero(x.cols()));
  const IntegerMatrix& table = tables_.gather_change_scatter(
      place_, lines_, x.bottomRows(1), point, V_, [&](Index block, Index begin, Index rows) {
        const Matrix Y = rows_.Y.middleRows(begin, rows), F = V_.middleRows(begin, rows);
        const Vector s = rows_.s.segment(begin, rows);
        Matrix g, D;
        loss_.derivatives(Y, F, s, g, D);
        g_.middleRows(begin, rows) = V_.middleRows(begin, rows) = g;
        D_.middleRows(begin, rows) = D;
        Evaluation& here = found[block];
        here.loss += loss_.value(Y, F, s);
        here.squares += g.cwiseAbs2().rowwise().sum().cwiseQuotient(s).sum();
        here.largest = larger(here.largest, g);
        here.curvature = larger(here.curvature, D);
        add_column_sums(g, point, sums[block]);
      });
  add_blocks(sums);
  Evaluation all = found[0];
  all.max_abs_z = max_abs_z_;
  for (std::size_t block = 1; block < found.size(); ++block) all.add(found[block]);
  all.gradient = unpack_sums(table, sums[0], point);
  return all;
}

Matrix Shard::product(const Matrix& v, double quantum) {
  set_lines(v);
  const FixedPoint point(quantum);
  std::vector<IntegerVector> sums(tables_.blocks(), IntegerVector::Zero(v.cols()));
  const IntegerMatrix& table = tables_.gather_change_scatter(
      place_, lines_, v.bottomRows(1), point, V_, [&](Index block, Index begin, Index rows) {
        auto V = V_.middleRows(begin, rows);
        apply_curvature(loss_, D_.middleRows(begin, rows), V);
        add_column_sums(V, point, sums[block]);
      });
  add_blocks(sums);
  return unpack_sums(table, sums[0], point);
}

Matrix Shard::gradient(const RowVector& quanta) {
  const Matrix& Z = rows_.Z;
  const Index m = place_.cols(), d = Z.cols(), q = rows_.Y.cols();
  // Twice as many slopes as knots: those of the segments, and between them, on a knot, the mean of
  // both sides.
  std::vector<Matrix> slopes(m);
  for (Index a = 0; a < m; ++a) {
    const Vector& t = layout_.knots(a);
    const Index first = layout_.first(a);
    slopes[a].setZero(2 * t.size(), q);
    for (Index k = 0; k + 1 < t.size(); ++k) {
      const RowVector left = k > 0 ? RowVector(x_.row(first + k - 1)) : RowVector::Zero(q);
      const RowVector slope = (x_.row(first + k) - left) / (t(k + 1) - t(k));
      slopes[a].row(2 * k + 1) = slope;
      slopes[a].row(2 * k) += 0.5 * slope;
      slopes[a].row(2 * k + 2) += 0.5 * slope;
    }
  }
  std::vector<IntegerMatrix> sums(tables_.blocks(), IntegerMatrix::Zero(d, m));
  const double cost = static_cast<double>(m * (d + 4 * q));
  tables_.for_pieces(cost, [&](Index block, Index begin, Index rows) {
    Matrix R = Matrix::Zero(rows, m);
    for (Index a = 0; a < m; ++a) {
      for (Index k = 0; k < q; ++k) {
        const double* slope = slopes[a].col(k).data();
        for (Index i = 0; i < rows; ++i) {
          const float place = place_(begin + i, a);
          const auto segment = static_cast<std::int32_t>(place);
          const bool inside = place != static_cast<float>(segment);
          R(i, a) += g_(begin + i, k) * slope[2 * segment + (inside ? 1 : 0)];
        }
      }
    }
    for (Index a = 0; a < m; ++a) {
      loops::add_products(rows, d, &Z(begin, 0), Z.rows(), R.col(a).data(), FixedPoint(quanta(a)),
                          sums[block].col(a).data());
    }
  });
  add_blocks(sums);
  Matrix found(d, m);
  for (Index a = 0; a < m; ++a) found.col(a) = from_quanta(sums[0].col(a), FixedPoint(quanta(a)));
  return found;
}

Shard make_shard(const FitInput& input, const DistinctRows& rows, const Loss& loss) {
  return {input.X(rows.rows, Eigen::all), input.Y(rows.rows, Eigen::all),
          rows.weights.size() > 0 ? rows.weights : Vector::Ones(rows.size()), loss};
}

}  // namespace bkernn
