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

// Scores, structure, variables by importance and leading directions.
std::string summary_text(const SavedModel& saved, Index most_variables = 10);
Json summary_json(const SavedModel& saved);

}  // namespace bkernn::report
