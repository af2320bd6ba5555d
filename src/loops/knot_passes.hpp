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

// H(k, l) += Σ_i w_i b_k(p_i) b_l(q_i), where b are the hat functions of two sets of knots and p, q
// places. H is stored by columns of `wide` rows.
void add_histogram(Index n, const float* p, const float* q, const double* w, Index wide, double* H);

}  // namespace bkernn::loops
