// A stability study (bkernn/stability.hpp) in words and numbers.
#pragma once

#include <string>
#include <vector>

#include "bkernn/stability.hpp"
#include "report/json.hpp"

namespace bkernn::report {

// Variables by how often they are selected, angles and weights of the directions, the curve of
// held-out losses, and what it says. `names` of the variables may be empty.
std::string stability_text(const StabilityResult& result, const std::vector<std::string>& names,
                           Index most_variables = 10);

// The same, whole: what `bkernn stability -o` writes and the report of a model can show.
Json stability_json(const StabilityResult& result, const std::vector<std::string>& names);

// Reads what stability_json() wrote about the variables of `model`. Throws IoError, starting with
// `name`, for anything else.
Json read_stability(const std::string& text, const std::string& name, const Model& model);

}  // namespace bkernn::report
