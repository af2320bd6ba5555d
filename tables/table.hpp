// A table of numbers with named columns, as it is read from files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn::tables {

// The cells of some columns as text: column → one word for each row.
using Labels = std::map<Index, std::vector<std::string>>;

// n rows × c columns. Every value is finite, except in a column that may hold words (a
// classification target): its cells stand in `labels` as they were written, and `values` has NaN
// where the cell is no number.
struct Table {
  std::vector<std::string> names;  // c
  Matrix values;                   // n×c
  Labels labels;                   // for the columns that may hold words

  // Does some cell of this column hold a word?
  bool holds_words(Index column) const;
};

// "word1", "word2", …
std::vector<std::string> numbered_names(const std::string& word, Index count);

// A number as text, with as few digits as give back the same double when read.
std::string shortest_text(double value);
void append_shortest(std::string& text, double value);

// Where the wanted columns stand in a file, in wanted order.
//
// With a header, columns are found by name; other columns are ignored. Missing ones are an IoError
// that lists them, each with the most similar name of the file if there is one. Without a header
// columns are taken by position, so their number must agree. `file` is for messages.
std::vector<Index> match_columns(const std::string& file, const std::vector<std::string>& names,
                                 bool has_header, const std::vector<std::string>& wanted);

}  // namespace bkernn::tables
