// Passes over the rows that move numbers between rows and knots.
//
// Row i stands at place[i] = segment + fraction. A table has one pair per segment, so that a row
// touches one spot of memory:
//
//   scatter  pairs[2k] += v_i,  pairs[2k+1] += place_i v_i     for the segment k of row i
//   gather   out_i += pairs[2k] + place_i pairs[2k+1]          the line of segment k, at the place
#pragma once

#include <cstdint>

#include "base/fixed_point.hpp"
#include "bkernn/types.hpp"

namespace bkernn::loops {

// Place is double or float. With a fixed point, v_i and place_i v_i are summed in its quanta.
template <class Place>
void scatter_to_knots(Index n, const Place* place, const double* v, double* pairs);
void scatter_to_knots(Index n, const float* place, const double* v, FixedPoint quantum,
                      std::uint64_t* pairs);
template <class Place>
void gather_from_knots(Index n, const Place* place, const double* pairs, double* out);

// What each knot gets if the v_i of a row is shared in proportion between the two knots of its
// segment, from the pairs of scatter_to_knots. Number is double, or std::uint64_t modulo 2⁶⁴.
template <class Number>
void masses_from_pairs(Index knots, const Number* pairs, Number* masses);

// The pairs for gather_from_knots of the piecewise-linear function with these values at the knots.
void lines_from_values(Index knots, const double* values, double* pairs);

// Two-dimensional histograms of places. Of the rows between knots k and k + 1 of one particle and
// l and l + 1 of another, which stand u and v behind these knots, a cell holds four moments:
//
//   Σ w,   Σ w u,   Σ w v,   Σ w u v.
//
// They lie side by side, in one line of memory.
struct alignas(32) Moments {
  double w = 0, wu = 0, wv = 0, wuv = 0;
};

// Place i is segment[i] + fraction[i].
void split_places(Index n, const float* place, std::int32_t* segment, double* fraction);

// Adds rows to the cells of two particles. Cell (k, l) is number k + wide·l.
void add_moments(Index n, const std::int32_t* k, const double* u, const std::int32_t* l,
                 const double* v, const double* w, Index wide, Moments* cells);

// H(k, l) = Σ_i w_i b_k(p_i) b_l(q_i) from these moments, where b are the hat functions of the two
// sets of knots: (1 − u)(1 − v), u(1 − v), (1 − u)v and uv at the corners of a cell. H and the
// cells have `wide` columns and rows.
void hats_from_moments(Index wide, const Moments* cells, double* H);

}  // namespace bkernn::loops
