// What a file format has to do: give its rows to TableReader, take those of TableWriter.
#pragma once

#include <string>
#include <vector>

#include "bkernn/types.hpp"
#include "tables/table.hpp"

namespace bkernn::tables {

// The columns that are read, in this order, and which of them may hold words. Columns of the file
// that are not selected are not looked at.
struct Selection {
  std::vector<Index> columns;     // distinct positions in the file
  std::vector<bool> may_be_text;  // one for each of `columns`

  Index size() const { return static_cast<Index>(columns.size()); }
};

// Some consecutive rows. Row-major, because rows arrive one after the other; TableReader turns
// them.
struct RowPiece {
  Index rows = 0;
  std::vector<double> values;                    // rows × selected columns
  std::vector<std::vector<std::string>> labels;  // for each selected column that may hold words
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
