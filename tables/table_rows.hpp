// What a file format has to do: give its rows to TableReader, take those of TableWriter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bkernn/types.hpp"
#include "tables/table.hpp"

namespace bkernn::tables {

// What the cells of a column may be.
enum class Cells {
  numbers,       // finite, none missing
  numbers_gaps,  // finite; NaN where one is missing
  text,          // kept as they were written: the target of a classification; none missing
  text_gaps,     // the same; empty where one is missing
  words,         // a category: numbers are words too
  mixed,         // numbers, words and gaps, to be told apart when all are known
};

inline bool keeps_text(Cells cells) {
  return cells == Cells::text || cells == Cells::text_gaps;
}
inline bool keeps_words(Cells cells) {
  return cells == Cells::words || cells == Cells::mixed;
}
inline bool allows_gaps(Cells cells) {
  return cells != Cells::numbers && cells != Cells::text;
}

// The columns that are read, in this order, and what they may hold. Columns of the file that are
// not selected are not looked at.
struct Selection {
  std::vector<Index> columns;  // distinct positions in the file
  std::vector<Cells> cells;    // one for each of `columns`

  Index size() const { return static_cast<Index>(columns.size()); }
};

// The words in a column of some rows; all other cells are numbers or gaps.
struct PieceWords {
  struct Cell {
    Index row;
    std::int32_t level;
  };
  std::vector<Cell> cells;          // by row
  std::vector<std::string> levels;  // distinct
  Index first_line = 0;             // where the first word stands, for messages
};

// Some consecutive rows. Row-major, because rows arrive one after the other; TableReader turns
// them.
struct RowPiece {
  Index rows = 0;
  std::vector<double> values;                    // rows × selected columns
  std::vector<std::vector<std::string>> labels;  // for each selected column that keeps text
  std::vector<PieceWords> words;                 // for each selected column that keeps words
};

// A file as a sequence of pieces, each of bounded size.
class RowSource {
 public:
  virtual ~RowSource() = default;

  // Without a header the columns are called column1, column2, …
  virtual const std::vector<std::string>& names() const = 0;
  virtual bool has_header() const = 0;

  // Appends the next pieces; false at the end. Throws IoError for the first bad row of the file.
  virtual bool next(const Selection& selection, std::vector<RowPiece>& pieces) = 0;
};

// A file that rows are written to, block by block; it appears at commit().
class RowSink {
 public:
  virtual ~RowSink() = default;

  // The words of `labels` stand in place of the numbers of their columns.
  virtual void write(const MatrixView& values, const Labels& labels) = 0;
  virtual void commit() = 0;
};

}  // namespace bkernn::tables
