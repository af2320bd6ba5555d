// Options that leave nothing open: for tests of all but the choice itself, which takes time.
#pragma once

#include "bkernn/options.hpp"

namespace bkernn {

inline FitOptions by_rule() {
  FitOptions options;
  options.n_particles = 50;
  options.penalty = "feature";
  options.regularization_rule = "rule";
  return options;
}

}  // namespace bkernn
