// Checks of what is given to an option. CLI11 puts the name of the option before what they say:
//   --penalty fast: must be one of auto, basic, …
#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <string>
#include <vector>

#include "bkernn/option_table.hpp"

namespace bkernn::cli {

// One of these words; - is as good as _ in them. For Option::transform.
CLI::Validator one_of(const std::vector<std::string>& words);
CLI::Validator one_of_or_number(const std::vector<std::string>& words);

// The words that an option takes, with spaces between them; "" if it is none of the two above.
std::string words_of(CLI::Option& option);

// A number within the range. For Option::check.
CLI::Validator within(const Range& range, bool whole_numbers = true);

// Whether all of the text is a number, which `value` then is.
bool parse_number(const std::string& text, double& value);

// "auto | basic | variable", as it stands in help.
std::string listed(const std::vector<std::string>& words);

}  // namespace bkernn::cli
