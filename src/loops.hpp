// Leaf loops over plain arrays: where the time goes. The only files that care about instruction sets.
#pragma once

#include <cstdint>

#include "bkernn/kernel.hpp"

namespace bkernn::loops {

// Brownian kernel, see Kernel::add_product. Lanes particles at once, 1 ≤ Lanes ≤ 4.
template <int Lanes>
void brownian_product(Index n, const SortedParticle* particles, double* v_out);

// P = X W for columns stored with strides ldx, ldw, ldp: n×d times d×m. Every entry is the sum over a = 0..d−1 in
// this order, whatever rows are computed with it.
void project(Index n, Index d, Index m, const double* X, Index ldx, const double* W, Index ldw, double* P, Index ldp);

// h(p_i) of a piecewise-linear function through (t_k, y_k), constant outside; t increasing.
void interpolate_linear(Index knots, const double* t, const double* y, Index n, const double* p, double* out);

// Sorts p: order[k] is the index of the k-th smallest, ties by index, and sorted[k] its value. Linear in n for
// projections that are spread over their range (buckets by value), n log n in the worst case.
void sort_projections(Index n, const double* p, std::int32_t* order, double* sorted);

// The largest k with t_k ≤ p, clamped to [0, knots − 2].
Index find_segment(Index knots, const double* t, double p);

}  // namespace bkernn::loops
