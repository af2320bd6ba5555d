// Projections P = XW, products with X in fixed point, and the sort of one column of P.
#pragma once

#include <cstdint>

#include "base/fixed_point.hpp"
#include "bkernn/types.hpp"

namespace bkernn::loops {

// P = X W, n×d times d×m, for matrices stored by columns ldx, ldw and ldp apart. Every entry is the
// sum over a = 0, …, d − 1 in this order, so it does not depend on which other rows are computed.
void project(Index n, Index d, Index m, const double* X, Index ldx, const double* W, Index ldw,
             double* P, Index ldp);

// out[a] += Σ_i x_ia r_i in quanta, for the d columns of X.
void add_products(Index n, Index d, const double* X, Index ldx, const double* r, FixedPoint quantum,
                  std::uint64_t* out);

// Sorts p: order[k] is the index of the k-th smallest, ties by index, and sorted[k] its value.
// Buckets by value: linear in n if the projections are spread over their range, n log n at worst.
void sort_projections(Index n, const double* p, std::int32_t* order, double* sorted);

}  // namespace bkernn::loops
