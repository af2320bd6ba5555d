// An order of rows that depends on the rows alone, not on how they came: by y, column after column,
// and rows of equal y by Σ_a (1 + c_a) z_a, c_a the correlation of z_a and the first y. Whoever
// permutes rows or columns, or changes units, finds the same order, up to rounding.
//
// Neighbors in it are alike. So rows that are drawn or dealt along it represent all of them.
#pragma once

#include <vector>

#include "bkernn/types.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

std::vector<Index> row_order(const StandardRows& rows);

// One row of each of `count` blocks of neighbors, drawn by `seed`.
std::vector<Index> draw_along(const std::vector<Index>& order, Index count, std::uint64_t seed);

// The part 0 … k − 1 of each row: every k neighbors are dealt out in an order of their own.
std::vector<int> deal_along(const std::vector<Index>& order, int k);

// These rows; their weights sum to their number.
StandardRows select(const StandardRows& rows, const std::vector<Index>& which);

}  // namespace bkernn
