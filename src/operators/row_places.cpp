#include "operators/row_places.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bkernn/penalty.hpp"
#include "loops/projections.hpp"

namespace bkernn {
namespace {

constexpr Index kFewRows = 30000;  // whose values and sums stay in the second-level cache
constexpr Index kCoordinates = 3;
constexpr int kBits = 10;         // of each coordinate
constexpr double kServes = 0.95;  // of what new coordinates would hold of W

// The bits of x, with room for those of two more numbers between them.
std::uint32_t spread_bits(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ffu;
  x = (x | x << 8) & 0x0300f00fu;
  x = (x | x << 4) & 0x030c30c3u;
  return (x | x << 2) & 0x09249249u;
}

}  // namespace

bool RowPlaces::serves(const Matrix& W, double possible) const {
  return basis_.rows() == W.rows() && (basis_.transpose() * W).squaredNorm() >= kServes * possible;
}

void RowPlaces::arrange(const Matrix& X, const Matrix& W) {
  const Index n = X.rows(), d = X.cols();
  if (n < kFewRows || W.isZero(0)) return;
  const LeftSingular svd = left_singular(W);
  const Index k = std::min(kCoordinates, svd.values.size());
  if (moved() && serves(W, svd.values.head(k).squaredNorm())) return;
  basis_ = svd.vectors.leftCols(k);
  const Matrix directions = basis_ * svd.values.head(k).asDiagonal();
  Matrix T(n, k);
  parallel_rows(n, static_cast<double>(d * k), [&](Index begin, Index end) {
    loops::project(end - begin, d, k, &X(begin, 0), n, directions.data(), d, &T(begin, 0), n);
  });
  const RowVector low = T.colwise().minCoeff();
  const double range = (T.colwise().maxCoeff() - low).maxCoeff();
  const double scale = range > 1e-280 ? ((1 << kBits) - 1) / range : 0;
  Vector cube(n), sorted(n);
  parallel_rows(n, static_cast<double>(10 * k), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::uint32_t code = 0;
      for (Index a = 0; a < k; ++a)
        code |= spread_bits(static_cast<std::uint32_t>((T(i, a) - low(a)) * scale)) << a;
      cube(i) = code;
    }
  });
  std::vector<std::int32_t> order(n);
  loops::sort_projections(n, cube.data(), order.data(), sorted.data());
  place_.resize(n);
  for (Index i = 0; i < n; ++i) place_[order[i]] = static_cast<std::int32_t>(i);
}

void RowPlaces::move(std::int32_t* rows, Index count) const {
  if (moved()) std::transform(rows, rows + count, rows, [&](std::int32_t i) { return place_[i]; });
}

Matrix RowPlaces::arranged(const Matrix& V) const {
  if (!moved()) return V;
  Matrix out(V.rows(), V.cols());
  parallel_rows(V.rows(), 4 * static_cast<double>(V.cols()), [&](Index begin, Index end) {
    for (Index q = 0; q < V.cols(); ++q)
      for (Index i = begin; i < end; ++i) out(place_[i], q) = V(i, q);
  });
  return out;
}

Matrix RowPlaces::restored(const Matrix& V) const {
  if (!moved()) return V;
  Matrix out(V.rows(), V.cols());
  parallel_rows(V.rows(), 4 * static_cast<double>(V.cols()), [&](Index begin, Index end) {
    for (Index q = 0; q < V.cols(); ++q)
      for (Index i = begin; i < end; ++i) out(i, q) = V(place_[i], q);
  });
  return out;
}

}  // namespace bkernn
