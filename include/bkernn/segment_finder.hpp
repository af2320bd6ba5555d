// Increasing knots t_0 < t_1 < …, and a fast way to find the segment [t_k, t_{k+1}] that holds p.
//
// With `many`, a table over equal cells of the range leaves only a few knots to search. Making it
// costs about one pass over the knots, and it takes half their memory, so it pays when many p are
// looked up. The result is the same either way. The knots must outlive the finder.
#pragma once

#include <cstdint>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

class SegmentFinder {
 public:
  SegmentFinder(Index knots, const double* t, bool many);

  // The largest k with t_k ≤ p, clamped to [0, knots − 2].
  Index operator()(double p) const;

  // segment[i] = (*this)(p[i]). Three passes, each of which prefetches the memory of the next.
  void find(Index n, const double* p, std::int32_t* segment) const;

  Index knots() const { return knots_; }
  const double* t() const { return t_; }

 private:
  Index cell(double p) const;
  Index search(Index cell, double p) const;

  Index knots_;
  const double* t_;
  double scale_ = 0;                 // cells per unit of p
  std::vector<std::int32_t> first_;  // the segment of each cell's left end, and one cell more
};

}  // namespace bkernn
