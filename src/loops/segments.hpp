// Segments between knots, and interpolation on them; see SegmentFinder.
#pragma once

#include "bkernn/segment_finder.hpp"
#include "bkernn/types.hpp"

namespace bkernn::loops {

// The largest k with t_k ≤ p, clamped to [0, knots − 2], by bisection.
Index find_segment(Index knots, const double* t, double p);

// h(p_i) of the piecewise-linear function through (t_k, y_k) that is constant outside the knots.
void interpolate_linear(const SegmentFinder& knots, const double* y, Index n, const double* p,
                        double* out);

}  // namespace bkernn::loops
