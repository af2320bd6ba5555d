// Numbers, names and tables as text for people.
#pragma once

#include <string>
#include <vector>

namespace bkernn::report {

// Text for a terminal: what it would obey (control characters, also those of UTF-8) is shown as
// \xNN, but for line feeds and tabs.
std::string printable(const std::string& text);

// A name that came out of a file, with all its control characters shown: it ends no line and moves
// no cursor.
std::string one_line(const std::string& name);

// "a, b, c".
std::string joined(const std::vector<std::string>& names);

// A number for people: so many significant digits, no trailing zeros.
std::string short_number(double value, int digits = 4);

// A duration: "0.3 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

// "1 row", "2 rows".
std::string count_of(long long count, const std::string& word);

// Rows of cells, columns aligned; the first column to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// A bar of blocks, `share` of `width` characters long.
std::string bar(double share, int width);

}  // namespace bkernn::report
