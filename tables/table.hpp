// A table of numbers with named columns, as it is read from files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bkernn/columns.hpp"
#include "bkernn/types.hpp"

namespace bkernn::tables {

// The cells of some columns as text: column → one word for each row.
using Labels = std::map<Index, std::vector<std::string>>;

// The words of a column, and where the first one stands (a line of the file), for messages.
struct Words {
  Category category;
  Index first_line = 0;
};

// n rows × c columns. A value is NaN where a column that may has a gap or holds a word: those of a
// classification target stand in `labels` as they were written, those of categories in `words`.
struct Table {
  std::vector<std::string> names;  // c
  Matrix values;                   // n×c
  Labels labels;                   // for the columns that keep their text
  std::map<Index, Words> words;    // for the columns that hold words

  // Does some cell of this column hold a word?
  bool holds_words(Index column) const;
};

// "word1", "word2", …
std::vector<std::string> numbered_names(const std::string& word, Index count);

// The most similar name, or null if none differs by at most a third of the letters.
const std::string* close_match(const std::vector<std::string>& names, const std::string& wanted);

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
