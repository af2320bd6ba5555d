#include "loops/segments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

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
    for (Index i = 0; i < some; ++i) {
      const std::int32_t k = segment[i];
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
  std::int32_t most = 0;  // segments that a cell ends beyond its first one
  for (Index k = 1, cell = 0; cell < cells + 2; ++cell) {
    // A cell begins where (p − t_0)·scale rounds to its number.
    while (k < knots - 1 && (t[k] - t[0]) * scale_ < static_cast<double>(cell)) ++k;
    first_[cell] = static_cast<std::int32_t>(k - 1);
    if (cell > 0) most = std::max(most, first_[cell] + 1 - first_[cell - 1]);
  }
  for (longest_step_ = 1; 2 * longest_step_ <= most;) longest_step_ *= 2;
  ahead_.assign(static_cast<std::size_t>(knots) + 2 * static_cast<std::size_t>(longest_step_),
                std::numeric_limits<double>::quiet_NaN());
  std::copy(t, t + knots - 1, ahead_.begin());
}

Index SegmentFinder::operator()(double p) const {
  std::int32_t segment = 0;
  find(1, &p, &segment);
  return segment;
}

// Steps of 2^s, 2^(s−1), …, 1 knots reach every knot of a cell, and no knot beyond p.
void SegmentFinder::find(Index n, const double* p, std::int32_t* segment) const {
  if (first_.empty()) {
    for (Index i = 0; i < n; ++i)
      segment[i] = static_cast<std::int32_t>(loops::find_segment(knots_, t_, p[i]));
    return;
  }
  const double left = t_[0], last = static_cast<double>(first_.size() - 2);
  for (Index i = 0; i < n; ++i) {
    const double place = (p[i] - left) * scale_;
    const double inside = place > 0 ? place : 0;
    segment[i] = static_cast<std::int32_t>(inside < last ? inside : last);
  }
  for (Index i = 0; i < n; ++i) segment[i] = first_[segment[i]];
  const double* const ahead = ahead_.data();
  for (std::int32_t step = longest_step_; step > 0; step /= 2) {
    for (Index i = 0; i < n; ++i) {
      const std::int32_t next = segment[i] + step;
      segment[i] = ahead[next] <= p[i] ? next : segment[i];
    }
  }
}

}  // namespace bkernn
