// The encoder of a table with words and gaps (columns.hpp) as C source: functions `level`, which
// gives the number of a word, and `encode`, from the columns of a row to its coordinates.
#pragma once

#include <string>

#include "bkernn/columns.hpp"

namespace bkernn {

bool has_words(const Encoder& encoder);

// What stands before the functions of the file: the name of `level`.
std::string level_declaration();

std::string encoder_to_c(const Encoder& encoder);

}  // namespace bkernn
