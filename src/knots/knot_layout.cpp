#include "knots/knot_layout.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bkernn/segment_finder.hpp"
#include "loops/knot_passes.hpp"

namespace bkernn {

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

template <class Place>
void place_on_knots(const Vector& t, Index n, const double* p, Place* place) {
  const Index last = t.size() - 1;
  if (last == 0) {
    std::fill(place, place + n, Place{0});
    return;
  }
  const SegmentFinder find(t.size(), t.data(), true);
  const auto end = static_cast<Place>(last);
  const Place before_end = std::nextafter(end, Place{0});
  for (Index i = 0; i < n; ++i) {
    if (p[i] >= t(last)) {
      place[i] = end;
      continue;
    }
    const Index k = find(p[i]);
    const double fraction = std::max(0.0, (p[i] - t(k)) / (t(k + 1) - t(k)));
    place[i] = std::min(static_cast<Place>(static_cast<double>(k) + fraction), before_end);
  }
}

template void place_on_knots(const Vector& t, Index n, const double* p, float* place);
template void place_on_knots(const Vector& t, Index n, const double* p, double* place);

KnotLayout::KnotLayout(Knots t) : t_(std::move(t)) {
  for (const Vector& knots : t_) {
    first_.push_back(first_.back() + knots.size() - 1);
    most_knots_ = std::max(most_knots_, knots.size());
  }
}

Places KnotLayout::place(const Matrix& P) const {
  Places places(P.rows(), P.cols());
  parallel_for(P.cols(), static_cast<double>(P.size()) * 10, [&](Index a) {
    place_on_knots(t_[a], P.rows(), P.col(a).data(), places.col(a).data());
  });
  return places;
}

void KnotLayout::add_stiffness(double stiffness, const Matrix& x, Matrix& y) const {
  for_springs(stiffness, [&](Index right, bool has_left, double spring) {
    for (Index q = 0; q < x.cols(); ++q) {
      const double pull = spring * (x(right, q) - (has_left ? x(right - 1, q) : 0.0));
      y(right, q) += pull;
      if (has_left) y(right - 1, q) -= pull;
    }
  });
}

template <class Table, class Theta>
void KnotLayout::find_masses(const Table& table, Index column, Theta& theta) const {
  typename Theta::PlainObject masses;
  for (Index a = 0; a < particles(); ++a) {
    masses.resize(t_[a].size());
    loops::masses_from_pairs(masses.size(), table.col(column + a).data(), masses.data());
    theta.segment(first_[a], unknowns(a)) = masses.tail(unknowns(a));
  }
}

void KnotLayout::masses_of_table(const Matrix& table, Index column,
                                 Eigen::Ref<Vector> theta) const {
  find_masses(table, column, theta);
}

void KnotLayout::masses_of_table(const IntegerMatrix& table, Index column,
                                 Eigen::Ref<IntegerVector> theta) const {
  find_masses(table, column, theta);
}

void KnotLayout::lines_into_table(const Eigen::Ref<const Vector>& theta, Matrix& table,
                                  Index column) const {
  Vector values;
  for (Index a = 0; a < particles(); ++a) {
    values.resize(t_[a].size());
    values << 0, theta.segment(first_[a], unknowns(a));
    loops::lines_from_values(values.size(), values.data(), table.col(column + a).data());
  }
}

}  // namespace bkernn
