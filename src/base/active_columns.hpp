// The particles that count: columns of W that are not exactly zero.
#pragma once

#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

inline std::vector<Index> active_columns(const Matrix& W) {
  std::vector<Index> active;
  for (Index j = 0; j < W.cols(); ++j) {
    if ((W.col(j).array() != 0).any()) active.push_back(j);
  }
  return active;
}

}  // namespace bkernn
