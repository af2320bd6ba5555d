// Loops over knots: rows to their segments and back, and piecewise-linear functions between.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "loops/loops.hpp"

namespace bkernn::loops {

template <class Place>
void scatter_to_knots(Index n, const Place* place, const double* v, double* pairs) {
  for (Index i = 0; i < n; ++i) {
    double* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    const double moment = static_cast<double>(place[i]) * v[i];
    pair[0] += v[i];
    pair[1] += moment;
  }
}

template <class Place>
void gather_from_knots(Index n, const Place* place, const double* pairs, double* out) {
  for (Index i = 0; i < n; ++i) {
    const double* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    out[i] += pair[0] + static_cast<double>(place[i]) * pair[1];
  }
}

void scatter_to_knots(Index n, const float* place, const double* v, FixedPoint quantum,
                      std::uint64_t* pairs) {
  for (Index i = 0; i < n; ++i) {
    std::uint64_t* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    const double moment = static_cast<double>(place[i]) * v[i];
    pair[0] += quantum(v[i]);
    pair[1] += quantum(moment);
  }
}

template void scatter_to_knots(Index, const double*, const double*, double*);
template void scatter_to_knots(Index, const float*, const double*, double*);
template void gather_from_knots(Index, const double*, const double*, double*);
template void gather_from_knots(Index, const float*, const double*, double*);

template <class Number>
void masses_from_pairs(Index knots, const Number* pairs, Number* masses) {
  Number from_left = 0;
  for (Index k = 0; k < knots; ++k) {
    const Number right = pairs[2 * k + 1] - static_cast<Number>(k) * pairs[2 * k];
    masses[k] = pairs[2 * k] - right + from_left;
    from_left = right;
  }
}

template void masses_from_pairs(Index, const double*, double*);
template void masses_from_pairs(Index, const std::uint64_t*, std::uint64_t*);

void lines_from_values(Index knots, const double* values, double* pairs) {
  for (Index k = 0; k < knots; ++k) {
    const double rise = k + 1 < knots ? values[k + 1] - values[k] : 0.0;
    pairs[2 * k] = values[k] - static_cast<double>(k) * rise;
    pairs[2 * k + 1] = rise;
  }
}

void add_histogram(Index n, const float* p, const float* q, const double* w, Index wide,
                   double* H) {
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::int32_t>(p[i]), l = static_cast<std::int32_t>(q[i]);
    const double u = static_cast<double>(p[i] - static_cast<float>(k));
    const double right = static_cast<double>(q[i] - static_cast<float>(l)) * w[i];
    const double left = w[i] - right;
    double* low = H + static_cast<Index>(k) + wide * static_cast<Index>(l);
    double* high = low + wide;
    low[0] += (1 - u) * left;
    low[1] += u * left;
    high[0] += (1 - u) * right;
    high[1] += u * right;
  }
}

Index find_segment(Index knots, const double* t, double p) {
  Index low = 0;
  for (Index length = knots - 1; length > 1;) {
    const Index half = length / 2;
    low = t[low + half] <= p ? low + half : low;
    length -= half;
  }
  return low;
}

SegmentFinder::SegmentFinder(Index knots, const double* t, bool many) : knots_(knots), t_(t) {
  const double range = t[knots - 1] - t[0];
  if (!many || knots < 8 || !(range > 1e-280)) return;
  const Index cells = knots;
  scale_ = static_cast<double>(cells) / range;
  first_.resize(cells + 2);
  for (Index k = 1, cell = 0; cell < cells + 2; ++cell) {
    // A cell begins where (p − t_0)·scale rounds to its number.
    while (k < knots - 1 && (t[k] - t[0]) * scale_ < static_cast<double>(cell)) ++k;
    first_[cell] = static_cast<std::int32_t>(k - 1);
  }
}

Index SegmentFinder::cell(double p) const {
  const double place = (p - t_[0]) * scale_;
  if (!(place > 0)) return 0;
  return static_cast<Index>(std::min(place, static_cast<double>(first_.size() - 2)));
}

Index SegmentFinder::search(Index cell, double p) const {
  const Index low = first_[cell];
  const Index length = first_[cell + 1] - low + 2;
  return low + find_segment(std::min(length, knots_ - low), t_ + low, p);
}

Index SegmentFinder::operator()(double p) const {
  return first_.empty() ? find_segment(knots_, t_, p) : search(cell(p), p);
}

void SegmentFinder::find(Index n, const double* p, std::int32_t* segment) const {
  if (first_.empty()) {
    for (Index i = 0; i < n; ++i)
      segment[i] = static_cast<std::int32_t>(find_segment(knots_, t_, p[i]));
    return;
  }
  for (Index i = 0; i < n; ++i) {
    const Index here = cell(p[i]);
    segment[i] = static_cast<std::int32_t>(here);
    __builtin_prefetch(first_.data() + here);
  }
  for (Index i = 0; i < n; ++i) __builtin_prefetch(t_ + first_[segment[i]]);
  for (Index i = 0; i < n; ++i) segment[i] = static_cast<std::int32_t>(search(segment[i], p[i]));
}

void interpolate_linear(const SegmentFinder& knots, const double* y, Index n, const double* p,
                        double* out) {
  if (knots.knots() == 1) {
    std::fill(out, out + n, y[0]);
    return;
  }
  constexpr Index kBatch = 256;
  std::array<std::int32_t, kBatch> segment;
  const double* t = knots.t();
  for (Index begin = 0; begin < n; begin += kBatch) {
    const Index some = std::min(kBatch, n - begin);
    knots.find(some, p + begin, segment.data());
    for (Index i = 0; i < some; ++i) __builtin_prefetch(y + segment[i]);
    for (Index i = 0; i < some; ++i) {
      const Index k = segment[i];
      const double u = std::clamp((p[begin + i] - t[k]) / (t[k + 1] - t[k]), 0.0, 1.0);
      out[begin + i] = y[k] + u * (y[k + 1] - y[k]);
    }
  }
}

}  // namespace bkernn::loops
