// What the commands say, and where: results to standard output, all else to standard error.
#pragma once

#include <string>

#include "report/json.hpp"

namespace bkernn::cli {

bool is_terminal(int descriptor);

// Standard output, as a whole document; throws IoError if it cannot be written. Control characters
// of text are shown, not sent.
void print(const std::string& text);
void print_json(const report::Json& json);

// To standard error: what is going on.
void tell(const std::string& text);

}  // namespace bkernn::cli
