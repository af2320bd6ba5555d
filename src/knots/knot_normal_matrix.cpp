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

}  // namespace

Vector choose_knots(Vector sample, double low, double high, Index Q) {
  std::sort(sample.begin(), sample.end());
  const Index distinct = std::unique(sample.begin(), sample.end()) - sample.begin();
  std::vector<double> t{low};
  const auto add = [&](double knot) {
    const bool inside = knot > t.back() && knot < high;
    if (inside) t.push_back(knot);
    return inside;
  };
  if (distinct <= Q) {
    for (Index k = 0; k < distinct; ++k) add(sample(k));
  } else {
    const auto size = static_cast<double>(distinct);
    double before = low, share_before = 0;
    for (Index i = 0; i <= distinct; ++i) {
      const double here = i < distinct ? sample(i) : high;
      const double share = 0.5 * static_cast<double>(i) / size + 0.5 * (here - low) / (high - low);
      for (;;) {
        const double goal = static_cast<double>(t.size()) / static_cast<double>(Q - 1);
        if (goal >= 1 || share < goal) break;
        if (!add(before + (here - before) * (goal - share_before) / (share - share_before))) break;
      }
      before = here;
      share_before = share;
    }
  }
  if (high > low) t.push_back(high);
  return Eigen::Map<Vector>(t.data(), static_cast<Index>(t.size()));
}

void place_on_knots(const Vector& t, Index n, const double* p, float* place) {
  const Index last = t.size() - 1;
  if (last == 0) {
    std::fill(place, place + n, 0.0F);
    return;
  }
  const SegmentFinder find(t.size(), t.data(), true);
  const auto end = static_cast<float>(last);
  const float before_end = std::nextafter(end, 0.0F);
  for (Index i = 0; i < n; ++i) {
    if (p[i] >= t(last)) {
      place[i] = end;
      continue;
    }
    const Index k = find(p[i]);
    const double fraction = std::max(0.0, (p[i] - t(k)) / (t(k + 1) - t(k)));
    place[i] = std::min(static_cast<float>(static_cast<double>(k) + fraction), before_end);
  }
}

std::vector<Index> first_unknowns(const Knots& t) {
  std::vector<Index> first{0};
  Index next = 0;
  for (const Vector& knots : t) first.push_back(next += knots.size() - 1);
  return first;
}

Index most_knots(const Knots& t) {
  Index most = 0;
  for (const Vector& knots : t) most = std::max(most, knots.size());
  return most;
}

namespace {

template <class Table, class Theta>
void find_masses(const Knots& t, const Table& table, Index first, Theta& theta) {
  typename Theta::PlainObject masses;
  for (Index a = 0, unknown = 0; a < static_cast<Index>(t.size()); ++a) {
    const Index knots = t[a].size();
    masses.resize(knots);
    loops::masses_from_pairs(knots, table.col(first + a).data(), masses.data());
    theta.segment(unknown, knots - 1) = masses.tail(knots - 1);
    unknown += knots - 1;
  }
}

}  // namespace

void masses_of_table(const Knots& t, const Matrix& table, Index first, Eigen::Ref<Vector> theta) {
  find_masses(t, table, first, theta);
}

void masses_of_table(const Knots& t, const IntegerMatrix& table, Index first,
                     Eigen::Ref<IntegerVector> theta) {
  find_masses(t, table, first, theta);
}

void lines_into_table(const Knots& t, const Eigen::Ref<const Vector>& theta, Matrix& table,
                      Index first) {
  Vector values;
  for (Index a = 0, unknown = 0; a < static_cast<Index>(t.size()); ++a) {
    const Index knots = t[a].size();
    values.resize(knots);
    values << 0, theta.segment(unknown, knots - 1);
    loops::lines_from_values(knots, values.data(), table.col(first + a).data());
    unknown += knots - 1;
  }
}

void add_stiffness(const Knots& t, double stiffness, const Matrix& x, Matrix& y) {
  Index first = 0;
  for (const Vector& knots : t) {
    for (Index k = 0; k + 1 < knots.size(); ++k) {
      const double spring = stiffness / (knots(k + 1) - knots(k));
      const Index right = first + k;
      for (Index q = 0; q < x.cols(); ++q) {
        const double pull = spring * (x(right, q) - (k > 0 ? x(right - 1, q) : 0.0));
        y(right, q) += pull;
        if (k > 0) y(right - 1, q) -= pull;
      }
    }
    first += knots.size() - 1;
  }
}

KnotNormalMatrix::KnotNormalMatrix(const Places& place, const Knots& t, const Vector& D,
                                   double stiffness)
    : first_(first_unknowns(t)), total_(D.sum()) {
  const Index unknowns = first_.back();
  if (unknowns == 0) return;
  KnotTables tables(D.size());
  masses_.resize(unknowns);
  Matrix& table = tables.scatter(place, D.data(), most_knots(t));
  masses_of_table(t, table, 0, masses_);
  Matrix N = Matrix::Zero(unknowns, unknowns);
  add_histograms(N, place, t, D);
  for (std::size_t a = 0; a < t.size(); ++a) {
    const Index knots = t[a].size();
    for (Index k = 0; k + 1 < knots; ++k) {
      const double spring = stiffness / (t[a](k + 1) - t[a](k));
      const Index right = first_[a] + k;
      N(right, right) += spring;
      if (k == 0) continue;
      N(right - 1, right - 1) += spring;
      N(right, right - 1) -= spring;
    }
  }
  for (Index k = 0; k < unknowns; ++k) {
    N.col(k).tail(unknowns - k) -= (masses_(k) / total_) * masses_.tail(unknowns - k);
  }
  factor_.compute(N);
}

void KnotNormalMatrix::add_histograms(Matrix& N, const Places& place, const Knots& t,
                                      const Vector& D) const {
  const Index wide = most_knots(t) + 1;
  const Index n = place.rows(), active = place.cols(), tiles = (active + kTile - 1) / kTile;
  std::vector<std::array<Index, 2>> pairs;
  for (Index a = 0; a < tiles; ++a) {
    for (Index b = 0; b <= a; ++b) pairs.push_back({a, b});
  }
  const double cost = static_cast<double>(n * active * active) * 2;
  parallel_for(static_cast<Index>(pairs.size()), cost, [&](Index tile) {
    const Index first_a = pairs[tile][0], first_b = pairs[tile][1];
    std::vector<Matrix> histograms(kTile * kTile, Matrix::Zero(wide, wide));
    const auto for_particles = [&](const auto& body) {
      for (Index a = first_a * kTile; a < std::min(active, (first_a + 1) * kTile); ++a) {
        for (Index b = first_b * kTile; b < std::min({active, (first_b + 1) * kTile, a + 1}); ++b)
          body(a, b, histograms[(a % kTile) * kTile + b % kTile]);
      }
    };
    for (Index begin = 0; begin < n; begin += kRowsInCache) {
      const Index rows = std::min(kRowsInCache, n - begin);
      for_particles([&](Index a, Index b, Matrix& H) {
        loops::add_histogram(rows, &place(begin, a), &place(begin, b), &D(begin), wide, H.data());
      });
    }
    for_particles([&](Index a, Index b, Matrix& H) {
      const Index rows = t[a].size() - 1, cols = t[b].size() - 1;
      N.block(first_[a], first_[b], rows, cols) = H.block(1, 1, rows, cols);
    });
  });
}

}  // namespace bkernn
