// Increasing knots t_0 < t_1 < …, and a fast way to find the segment [t_k, t_{k+1}] that holds p.
//
// With `many`, a table over equal cells of the range leaves only a few knots to search. Making it
// costs about two passes over the knots, and it takes one and a half times their memory, so it pays
// when many p are looked up. The result is the same either way. The knots must outlive the finder.
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

  // segment[i] = (*this)(p[i]). Passes without branches, the same number of steps for every p.
  void find(Index n, const double* p, std::int32_t* segment) const;

  Index knots() const { return knots_; }
  const double* t() const { return t_; }

 private:
  Index knots_;
  const double* t_;
  double scale_ = 0;                 // cells per unit of p
  std::vector<std::int32_t> first_;  // the segment of each cell's left end, and one cell more
  std::vector<double> ahead_;        // the knots that begin a segment, and then NaN: not ≤ p
  std::int32_t longest_step_ = 0;    // a power of two
};

}  // namespace bkernn
