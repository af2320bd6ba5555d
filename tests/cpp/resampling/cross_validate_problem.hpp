// A small cross-validation.
#pragma once

#include "bkernn/cross_validate.hpp"
#include "bkernn/simulate.hpp"
#include "by_rule.hpp"

namespace bkernn {

struct SimulatedData {
  explicit SimulatedData(const std::string& kind, Index n = 120, Index d = 4)
      : set(simulate({.kind = kind, .n = n, .n_test = 200, .d = d})) {}
  FitInput input() const { return {.X = set.train.X, .Y = set.train.Y}; }
  Simulated set;
};

inline FitOptions small_fit() {
  FitOptions options = by_rule();
  options.n_particles = 10;
  options.max_iter = 40;
  return options;
}

inline CrossValidateOptions small_path() {
  CrossValidateOptions options;
  options.n_folds = 3;
  options.n_lambdas = 6;
  return options;
}

}  // namespace bkernn
