// How many directions or variables a model has found.
#pragma once

#include <string>
#include <vector>

#include "bkernn/model.hpp"

namespace bkernn::report {

// What matters: importances of the variables, singular values, and the dimension found.
struct Structure {
  bool variables = false;          // the penalty selects variables, not directions
  Vector values;                   // singular values, or norms of the rows of W
  Index dimension = 0;             // how many of them matter
  Index rank = 0;                  // how many are not zero, up to rounding
  double share = 0;                // of their total that the `dimension` first ones carry
  std::vector<std::string> names;  // of the variables
};
Structure structure_of(const Model& model);

// "3 directions (of 20 variables) carry 98% of the weight".
std::string describe(const Structure& structure, Index n_features);

}  // namespace bkernn::report
