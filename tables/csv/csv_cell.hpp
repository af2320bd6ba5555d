// One cell of a CSV file.
//
//   1.5          a number: what std::from_chars reads, also with a plus sign; the nearest double
//   "1,5 ""m"""  a quoted cell (RFC 4180): holds separators, line breaks and doubled quotes
//   NA           a missing value: an empty cell, NA, N/A, NaN, null or ?, in any case of letters
//   setosa       a word
//
// Blanks around a cell do not count; within quotes they do. A quote may stand only around a cell.
#pragma once

#include <string>
#include <string_view>

namespace bkernn::tables {

enum class CellFault { kNone, kQuoteInside, kTextAfterQuote, kQuoteNotClosed };

struct Cell {
  std::string_view text;  // in the buffer, or in `storage` if quoted
  bool quoted = false;
  CellFault fault = CellFault::kNone;
  const char* end = nullptr;  // at the separator or line feed that ends the cell, or at the end
};

// Reads the cell that starts at `begin`.
Cell read_cell(const char* begin, const char* end, char separator, std::string& storage);

const char* describe(CellFault fault);

enum class CellKind { kNumber, kInfinite, kMissing, kWord };

// Sets `value` if the text is a number. Too large for double counts as infinite, too small is 0.
CellKind classify(std::string_view text, double& value);

// The cell as a CSV file holds it: quoted if it would not be read back the same otherwise.
std::string quote_if_needed(const std::string& text);

}  // namespace bkernn::tables
