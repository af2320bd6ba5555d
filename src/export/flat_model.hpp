// A model as plain tables: functions end to end, variables that no particle looks at left out.
#pragma once

#include <vector>

#include "bkernn/model.hpp"

namespace bkernn {

struct FlatModel {
  explicit FlatModel(const Model& model);

  Index particles() const { return W.cols(); }

  std::vector<Index> variables;  // that are used; at least one
  RowVector center, scale;       // of these
  Matrix W;                      // variables × particles
  double share;                  // 1/m
  std::vector<Index> first;      // where the knots of each function begin, and where the last end
  Vector knots;                  // K
  Matrix values;                 // K×q
};

}  // namespace bkernn
