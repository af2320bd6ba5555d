// Leaf loops over plain arrays: where the time goes. The only files that care about instruction sets.
#pragma once

#include <cstdint>
#include <vector>

#include "bkernn/kernel.hpp"

namespace bkernn::loops {

// Brownian kernel, see Kernel::add_product. Lanes particles at once, 1 ≤ Lanes ≤ 4.
template <int Lanes>
void brownian_product(Index n, const SortedParticle* particles, double* v_out);

// P = X W for columns stored with strides ldx, ldw, ldp: n×d times d×m. Every entry is the sum over a = 0..d−1 in
// this order, whatever rows are computed with it.
void project(Index n, Index d, Index m, const double* X, Index ldx, const double* W, Index ldw,
             double* P, Index ldp);

// h(p_i) of a piecewise-linear function through (t_k, y_k), constant outside; t increasing.
void interpolate_linear(Index knots, const double* t, const double* y, Index n, const double* p,
                        double* out);

// Knots. Row i lies in segment cell[i] at fraction u[i]. Each table entry is a pair, so that a row touches one place.
//   spread:  pairs[2k] += v_i, pairs[2k+1] += u_i v_i            for k = cell[i]
//   gather:  out_i += pairs[2k] + u_i pairs[2k+1]                (value at the left knot, difference to the right one)
void spread_to_knots(Index n, const std::int32_t* cell, const double* u, const double* v,
                     double* pairs);
void gather_from_knots(Index n, const std::int32_t* cell, const double* u, const double* pairs,
                       double* out);

// Sorts p: order[k] is the index of the k-th smallest, ties by index, and sorted[k] its value. Linear in n for
// projections that are spread over their range (buckets by value), n log n in the worst case.
void sort_projections(Index n, const double* p, std::int32_t* order, double* sorted);

// The largest k with t_k ≤ p, clamped to [0, knots − 2].
Index find_segment(Index knots, const double* t, double p);

// The same for many p: a table over equal cells of the range leaves only a few knots to search.
class SegmentFinder {
 public:
  SegmentFinder(Index knots, const double* t);
  Index operator()(double p) const;

 private:
  Index knots_;
  const double* t_;
  double scale_ = 0;  // cells per unit
  std::vector<std::int32_t>
      first_;  // per cell, the segment of its left end; one cell more at the end
};

}  // namespace bkernn::loops
