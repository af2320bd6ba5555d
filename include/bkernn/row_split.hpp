// A random part of n rows, and the rest: for validation or a test.
#pragma once

#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

struct RowSplit {
  std::vector<Index> rest, part;  // increasing
};

// `fraction` of the rows, rounded, but at least one in each. Every choice of them is equally
// likely; `seed` draws it. n ≥ 2, and 0 < fraction < 1.
RowSplit split_rows(Index n, double fraction, std::uint64_t seed);

}  // namespace bkernn
