#include "loops/segments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace bkernn::loops {

Index find_segment(Index knots, const double* t, double p) {
  Index low = 0;
  for (Index length = knots - 1; length > 1;) {
    const Index half = length / 2;
    low = t[low + half] <= p ? low + half : low;
    length -= half;
  }
  return low;
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

namespace bkernn {

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
  return low + loops::find_segment(std::min(length, knots_ - low), t_ + low, p);
}

Index SegmentFinder::operator()(double p) const {
  return first_.empty() ? loops::find_segment(knots_, t_, p) : search(cell(p), p);
}

void SegmentFinder::find(Index n, const double* p, std::int32_t* segment) const {
  if (first_.empty()) {
    for (Index i = 0; i < n; ++i)
      segment[i] = static_cast<std::int32_t>(loops::find_segment(knots_, t_, p[i]));
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

}  // namespace bkernn
