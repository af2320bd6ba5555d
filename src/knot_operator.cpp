#include "knot_operator.hpp"

#include <algorithm>
#include <cmath>

#include "bkernn/error.hpp"
#include "loops.hpp"
#include "parallel.hpp"
#include "rng.hpp"

namespace bkernn {
namespace {

constexpr Index kRowsPerKnot = 32;    // sampled to place the knots
constexpr Index kRowsInCache = 2048;
constexpr Index kMaxBlocks = 16;

std::vector<Index> sample_rows(Index n, Index wanted, std::uint64_t seed) {
  std::vector<Index> rows(n);
  for (Index i = 0; i < n; ++i) rows[i] = i;
  if (wanted >= n) return rows;
  Rng rng(seed);
  for (Index i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + rng.index(n - i)]);
  rows.resize(wanted);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// At most Q increasing knots: quantiles of the sorted sample between the extremes of all projections.
Vector place_knots(Vector sample, double low, double high, Index Q) {
  std::sort(sample.begin(), sample.end());
  const auto end = std::unique(sample.begin(), sample.end());
  const Index distinct = end - sample.begin();
  std::vector<double> t{low};
  const Index inner = std::min(Q, distinct);
  for (Index k = 0; k < inner; ++k) {
    const Index rank = inner == 1 ? 0 : (k * (distinct - 1) + (inner - 1) / 2) / (inner - 1);
    const double here = sample(rank);
    if (here > t.back() && here < high) t.push_back(here);
  }
  if (high > low) t.push_back(high);
  return Eigen::Map<Vector>(t.data(), static_cast<Index>(t.size()));
}

}  // namespace

KnotOperator::KnotOperator(const Matrix& X, const Kernel& kernel, Index knots, std::uint64_t seed)
    : KernelOperator(X, kernel), Q_(knots), sample_(sample_rows(X.rows(), kRowsPerKnot * knots, seed)) {
  require(kernel.name() == "brownian", "kernel", kernel.name(), "the knots operator needs the brownian kernel");
  require(knots >= 2, "knots", knots, "must be at least 2");
  const Index blocks = std::clamp<Index>(rows() / (4 * kRowsInCache), 1, kMaxBlocks);
  block_sums_.resize(blocks);
}

void KnotOperator::prepare() {
  const Index n = rows(), count = active_count();
  t_.resize(count);
  position_.resize(n, count);
  parallel_for((count + 3) / 4, static_cast<double>(n * count) * 20, [&](Index group) {
    const Index begin = group * 4, end = std::min(count, begin + 4);
    const Matrix P = project(begin, end);
    for (Index a = begin; a < end; ++a) {
      const auto p = P.col(a - begin);
      Vector& t = t_[a];
      t = place_knots(p(sample_), p.minCoeff(), p.maxCoeff(), Q_);
      for (Index i = 0; i < n; ++i) {
        if (t.size() == 1) {
          position_(i, a) = 0;
          continue;
        }
        const Index k = loops::find_segment(t.size(), t.data(), p(i));
        position_(i, a) = static_cast<double>(k) + std::clamp((p(i) - t(k)) / (t(k + 1) - t(k)), 0.0, 1.0);
      }
    }
  });
}

void KnotOperator::add_to_knots(Index a, Index begin, Index end, const double* v, double* s) const {
  const double* position = position_.col(a).data();
  const Index last = t_[a].size() - 1;
  for (Index i = begin; i < end; ++i) {
    const Index k = static_cast<Index>(position[i]);
    const double u = position[i] - static_cast<double>(k);
    s[k] += (1 - u) * v[i];
    s[std::min(k + 1, last)] += u * v[i];
  }
}

void KnotOperator::integrate(Index a, double* s) const {
  const Vector& t = t_[a];
  double C = 0, h = 0;
  for (Index k = 0; k < t.size(); ++k) {
    C += s[k];
    s[k] = h;
    if (k + 1 < t.size()) h -= C * (t(k + 1) - t(k));
  }
}

void KnotOperator::apply(const Matrix& V, Matrix& out) {
  const Index n = rows(), count = active_count();
  const Index blocks = static_cast<Index>(block_sums_.size());
  const auto first_row = [&](Index block) { return n * block / blocks; };
  const Index Q = [&] {
    Index largest = 2;
    for (const Vector& t : t_) largest = std::max(largest, t.size());
    return largest + 1;
  }();
  const double cost = static_cast<double>(n * count);
  out.resize(n, V.cols());
  for (Index q = 0; q < V.cols(); ++q) {
    const double* v = V.col(q).data();
    parallel_for(blocks, cost, [&](Index b) {
      Matrix& sums = block_sums_[b];
      sums.setZero(Q, count);
      for (Index begin = first_row(b); begin < first_row(b + 1); begin += kRowsInCache) {
        const Index end = std::min(first_row(b + 1), begin + kRowsInCache);
        for (Index a = 0; a < count; ++a) add_to_knots(a, begin, end, v, sums.col(a).data());
      }
    });
    Matrix& h = block_sums_[0];
    for (Index b = 1; b < blocks; ++b) h += block_sums_[b];
    for (Index a = 0; a < count; ++a) integrate(a, h.col(a).data());
    h /= static_cast<double>(W_.cols());

    parallel_for(blocks, cost, [&](Index b) {
      for (Index begin = first_row(b); begin < first_row(b + 1); begin += kRowsInCache) {
        const Index end = std::min(first_row(b + 1), begin + kRowsInCache);
        double* sum = out.col(q).data();
        std::fill(sum + begin, sum + end, 0.0);
        for (Index a = 0; a < count; ++a) {
          const double* position = position_.col(a).data();
          const double* table = h.col(a).data();
          for (Index i = begin; i < end; ++i) {
            const Index k = static_cast<Index>(position[i]);
            const double u = position[i] - static_cast<double>(k);
            sum[i] += table[k] + u * (table[k + 1] - table[k]);
          }
        }
      }
    });
  }
}

void KnotOperator::add_slopes(Index a, const double* alpha, double* out) const {
  const Index knots = t_[a].size();
  Vector C = Vector::Zero(knots);
  add_to_knots(a, 0, rows(), alpha, C.data());
  for (Index k = 1; k < knots; ++k) C(k) += C(k - 1);
  const double* position = position_.col(a).data();
  for (Index i = 0; i < rows(); ++i) {
    const Index k = static_cast<Index>(position[i]);
    const bool on_knot = position[i] == static_cast<double>(k);  // mean of the slopes on both sides
    const double slope = on_knot ? -0.5 * ((k > 0 ? C(k - 1) : 0.0) + C(k)) : -C(k);
    out[i] += alpha[i] * slope;
  }
}

std::vector<RidgeFunction> KnotOperator::functions(const Matrix& alpha) const {
  std::vector<RidgeFunction> functions(active_count());
  for (Index a = 0; a < active_count(); ++a) {
    Matrix h = Matrix::Zero(t_[a].size(), alpha.cols());
    for (Index q = 0; q < alpha.cols(); ++q) {
      add_to_knots(a, 0, rows(), alpha.col(q).data(), h.col(q).data());
      integrate(a, h.col(q).data());
    }
    functions[a] = {t_[a], std::move(h)};
  }
  return functions;
}

Matrix KnotOperator::gram() const {
  const Index n = rows();
  Matrix K = Matrix::Zero(n, n);
  const Vector ones = Vector::Ones(n);
  for (Index a = 0; a < active_count(); ++a) {
    const Index knots = t_[a].size();
    Matrix B = Matrix::Zero(knots, n);
    for (Index i = 0; i < n; ++i) add_to_knots(a, i, i + 1, ones.data(), B.col(i).data());
    Matrix distance(knots, knots);
    for (Index k = 0; k < knots; ++k) distance.col(k) = (t_[a].array() - t_[a](k)).abs();
    K -= 0.5 * B.transpose() * (distance * B).eval();
  }
  K /= static_cast<double>(W_.cols());
  return K;
}

}  // namespace bkernn
