// A model in words and numbers: what `fit`, `inspect` and `demo` print.
#pragma once

#include <string>
#include <vector>

#include "bkernn/io.hpp"
#include "report/json.hpp"

namespace bkernn::report {

// "9 variables (3 categories: cut, color, clarity; gaps in table)".
std::string describe_columns(const Encoder& encoder, const std::vector<std::string>& names);

// The levels of a category: name, share and what each adds to f (Model::level_effects).
Json level_list(const Model& model, Index column);

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

// Scores, structure, variables by importance and leading directions.
std::string summary_text(const SavedModel& saved, Index most_variables = 10);
Json summary_json(const SavedModel& saved);

}  // namespace bkernn::report
