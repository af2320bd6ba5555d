// Leaf loops over plain arrays: where the time goes. The only files that care about instruction
// sets.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed_point.hpp"
#include "bkernn/kernel.hpp"

namespace bkernn::loops {

// Brownian kernel, see Kernel::add_product.
void brownian_product(Index n, int count, const SortedParticle* particles, int outputs,
                      double* v_out);

// P = X W for columns stored with strides ldx, ldw, ldp: n×d times d×m. Every entry is the sum over
// a = 0..d−1 in this order, whatever rows are computed with it.
void project(Index n, Index d, Index m, const double* X, Index ldx, const double* W, Index ldw,
             double* P, Index ldp);

// Knots. Row i stands at place[i] = segment + fraction. Each table entry is a pair, so that a row
// touches one spot.
//   spread:  pairs[2k] += v_i, pairs[2k+1] += place_i v_i        for its segment k
//   gather:  out_i += pairs[2k] + place_i pairs[2k+1]   (the line of the segment, as a function of the place)
// masses: what the knots get of v when each row's v_i is shared between the two knots of its
// segment in proportion, from the pairs of spread. lines: the pairs for gather of the
// piecewise-linear function with these values at the knots. Place is double or float. With a fixed
// point, v_i and place_i v_i are summed in its quanta.
template <class Place>
void scatter_to_knots(Index n, const Place* place, const double* v, double* pairs);
void scatter_to_knots(Index n, const float* place, const double* v, FixedPoint quantum,
                      std::uint64_t* pairs);
template <class Place>
void gather_from_knots(Index n, const Place* place, const double* pairs, double* out);
template <class Number>  // double, or std::uint64_t modulo 2⁶⁴
void masses_from_pairs(Index knots, const Number* pairs, Number* masses);
void lines_from_values(Index knots, const double* values, double* pairs);

// out[a] += Σ_i x_ia r_i in quanta, for the d columns of X.
void add_products(Index n, Index d, const double* X, Index ldx, const double* r, FixedPoint quantum,
                  std::uint64_t* out);

// H(k, l) += Σ_i w_i b_k(p_i) b_l(q_i): the hat functions b of two sets of knots. H has `wide`
// rows, column by column.
void add_histogram(Index n, const float* p, const float* q, const double* w, Index wide, double* H);

// Sorts p: order[k] is the index of the k-th smallest, ties by index, and sorted[k] its value.
// Linear in n for projections that are spread over their range (buckets by value), n log n in the
// worst case.
void sort_projections(Index n, const double* p, std::int32_t* order, double* sorted);

// The largest k with t_k ≤ p, clamped to [0, knots − 2].
Index find_segment(Index knots, const double* t, double p);

// The same for many p. With `many`, a table over equal cells of the range leaves only a few knots
// to search: it takes as long to make as a pass over the knots, and half their memory. The knots
// must outlive it.
class SegmentFinder {
 public:
  SegmentFinder(Index knots, const double* t, bool many);
  Index operator()(double p) const;

  // segment[i] = (*this)(p[i]), in three passes, each asking for the memory that the next one
  // needs.
  void find(Index n, const double* p, std::int32_t* segment) const;

  Index knots() const { return knots_; }
  const double* t() const { return t_; }

 private:
  Index cell(double p) const;
  Index search(Index cell, double p) const;

  Index knots_;
  const double* t_;
  double scale_ = 0;                 // cells per unit
  std::vector<std::int32_t> first_;  // per cell, the segment of its left end; one cell more
};

// h(p_i) of a piecewise-linear function through (t_k, y_k), constant outside; t increasing.
void interpolate_linear(const SegmentFinder& knots, const double* y, Index n, const double* p,
                        double* out);

// out_i = exp(−(p_i − b)²/2), to about one quantum in the last place; below 10^−300 it stays there.
void gaussian(Index n, const double* p, double b, double* out);

}  // namespace bkernn::loops
