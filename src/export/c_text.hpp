// Pieces of C source.
#pragma once

#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

// The shortest text that is read back as the same double.
std::string literal(double value);

// Four digits, for readers.
std::string short_text(double value);

// A name from a table, as it may stand in a comment: it neither ends the comment nor its line, and
// cannot turn the direction of the text that follows.
std::string in_comment(const std::string& name);

// A level as a literal of C: letters and digits as they are, other bytes by their number.
std::string quoted(const std::string& level);

// Appends a static array.
void put_doubles(std::string& to, const std::string& name, const double* values, Index count);
void put_integers(std::string& to, const std::string& name, const std::vector<Index>& values);

}  // namespace bkernn
