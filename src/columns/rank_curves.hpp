// Learns how numbers are bent by rank (columns.hpp): with the weights s of rows and their distinct
// values v_1 < v_2 < …, the rank of v_k is
//
//   u_k = (Σ_{i<k} s_i + s_k/2) / Σ s,
//
// the middle of its share of the rows. It depends neither on the order of the rows nor on units,
// and a weight of two is two rows.
#pragma once

#include <string>
#include <vector>

#include "bkernn/columns.hpp"

namespace bkernn {

// "none", "uniform" and "normal".
const std::vector<std::string>& rank_names();

// For values and their weights > 0. Fewer than three distinct values are not bent: a line goes
// through any two.
Curve learn_curve(const std::string& ranks, const Vector& values, const Vector& weights);

}  // namespace bkernn
