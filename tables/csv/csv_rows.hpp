// Rows of CSV text into numbers: the loop in which reading a file spends its time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tables/table_problems.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

// How a row of this file is cut and what becomes of its cells.
struct CsvLayout {
  CsvLayout(char separator, std::string_view header, Index columns, const Selection& selection);

  static constexpr Index kNone = -1;

  char separator;
  std::string_view header;        // its line, which no row may be; empty: any row
  Index columns;                  // of the file
  Index selected;                 // columns of a RowPiece
  Index text_columns = 0;         // label columns of a RowPiece …
  Index word_columns = 0;         // … and those of words
  std::vector<Index> value_slot;  // for each column of the file: where its value goes, or kNone
  std::vector<Index> label_slot;  // the same for its label …
  std::vector<Index> word_slot;   // … and its words
  std::vector<Cells> cells;       // for each column of the file
  std::vector<char> fast;         // whether its cells are numbers, as a rule
};

struct CsvPiece {
  RowPiece rows;
  Index lines = 0;    // physical ones: a quoted cell may span several
  Problems problems;  // line numbers count from 0, the first line of the piece
};

// Parses whole rows, the last of which ends with a line feed unless `end` cuts a quoted cell. Stops
// at the first wrong row; the header again is one. Empty lines are skipped, unless the file
// has a single column: there, an empty line is a missing value.
CsvPiece parse_rows(const char* begin, const char* end, const CsvLayout& layout);

}  // namespace bkernn::tables
