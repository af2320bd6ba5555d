#include "knots/knot_normal_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.hpp"
#include "bkernn/segment_finder.hpp"
#include "knots/knot_tables.hpp"
#include "loops/knot_passes.hpp"

namespace bkernn {
namespace {

constexpr Index kRowsInCache = 2048;
constexpr Index kTile = 4;  // particles on each side of a tile of histograms

// The places of some rows of one particle.
struct SplitPlaces {
  std::array<std::int32_t, kRowsInCache> segment;
  std::array<double, kRowsInCache> fraction;

  void take(Index rows, const float* place) {
    loops::split_places(rows, place, segment.data(), fraction.data());
  }
};

// The lower blocks of BᵀDB.
void add_histograms(const Places& place, const KnotLayout& layout, const Vector& D, Matrix& N) {
  const Index wide = layout.most_knots() + 1;
  const Index n = place.rows(), active = place.cols(), tiles = (active + kTile - 1) / kTile;
  std::vector<std::array<Index, 2>> pairs;
  for (Index a = 0; a < tiles; ++a) {
    for (Index b = 0; b <= a; ++b) pairs.push_back({a, b});
  }
  const double cost = static_cast<double>(n * active * active) * 2;
  parallel_for(static_cast<Index>(pairs.size()), cost, [&](Index tile) {
    const Index first_a = pairs[tile][0] * kTile, end_a = std::min(active, first_a + kTile);
    const Index first_b = pairs[tile][1] * kTile, end_b = std::min(active, first_b + kTile);
    std::vector<loops::Moments> cells(kTile * kTile * wide * wide);
    std::vector<SplitPlaces> left(kTile), right(kTile);
    const auto for_particles = [&](const auto& body) {
      for (Index a = first_a; a < end_a; ++a) {
        for (Index b = first_b; b < std::min(end_b, a + 1); ++b)
          body(a, b, &cells[((a - first_a) * kTile + b - first_b) * wide * wide]);
      }
    };
    for (Index begin = 0; begin < n; begin += kRowsInCache) {
      const Index rows = std::min(kRowsInCache, n - begin);
      for (Index a = first_a; a < end_a; ++a) left[a - first_a].take(rows, &place(begin, a));
      for (Index b = first_b; b < end_b; ++b) right[b - first_b].take(rows, &place(begin, b));
      for_particles([&](Index a, Index b, loops::Moments* moments) {
        const SplitPlaces &p = left[a - first_a], &q = right[b - first_b];
        loops::add_moments(rows, p.segment.data(), p.fraction.data(), q.segment.data(),
                           q.fraction.data(), &D(begin), wide, moments);
      });
    }
    Matrix H(wide, wide);
    for_particles([&](Index a, Index b, const loops::Moments* moments) {
      loops::hats_from_moments(wide, moments, H.data());
      const Index rows = layout.unknowns(a), cols = layout.unknowns(b);
      N.block(layout.first(a), layout.first(b), rows, cols) = H.block(1, 1, rows, cols);
    });
  });
}

}  // namespace

KnotNormalMatrix::KnotNormalMatrix(const Places& place, const KnotLayout& layout, const Vector& D,
                                   double stiffness)
    : total_(D.sum()) {
  const Index unknowns = layout.unknowns();
  if (unknowns == 0) return;
  KnotTables tables(D.size());
  masses_.resize(unknowns);
  layout.masses_of_table(tables.scatter(place, D.data(), layout.most_knots()), 0, masses_);
  Matrix N = Matrix::Zero(unknowns, unknowns);
  add_histograms(place, layout, D, N);
  layout.for_springs(stiffness, [&](Index right, bool has_left, double spring) {
    N(right, right) += spring;
    if (!has_left) return;
    N(right - 1, right - 1) += spring;
    N(right, right - 1) -= spring;
  });
  for (Index k = 0; k < unknowns; ++k) {
    N.col(k).tail(unknowns - k) -= (masses_(k) / total_) * masses_.tail(unknowns - k);
  }
  factor_.compute(N);
}

}  // namespace bkernn
