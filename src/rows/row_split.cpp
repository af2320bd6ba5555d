#include "bkernn/row_split.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {

RowSplit split_rows(Index n, double fraction, std::uint64_t seed) {
  require(n >= 2, "n", n, "must be at least 2");
  require(fraction > 0 && fraction < 1, "fraction", fraction, "must lie strictly between 0 and 1");
  const Index size = std::clamp<Index>(std::llround(fraction * static_cast<double>(n)), 1, n - 1);
  RowSplit split;
  split.part = Rng(seed).sample(n, size);
  for (Index i = 0; i < n; ++i) {
    if (!std::binary_search(split.part.begin(), split.part.end(), i)) split.rest.push_back(i);
  }
  return split;
}

}  // namespace bkernn
