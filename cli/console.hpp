// What the commands share when they talk to people: numbers, tables of text, and the kinds of
// failure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bkernn/error.hpp"

namespace bkernn::cli {

using Json = nlohmann::ordered_json;

// The command line itself is wrong: exit code 2. Every other Error is exit code 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The user stopped the command (Ctrl-C).
class Interrupted : public Error {
 public:
  using Error::Error;
};

// A name that came out of a file, with its control characters shown: it ends no line and moves no
// cursor.
std::string one_line(const std::string& name);

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

bool is_terminal(int descriptor);

// Standard output, as a whole document; throws IoError if it cannot be written. Control characters
// of text are shown, not sent.
void print(const std::string& text);
void print(const Json& json);

// To standard error: what is going on.
void tell(const std::string& text);

}  // namespace bkernn::cli
