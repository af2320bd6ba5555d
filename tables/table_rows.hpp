// What the file formats (csv_reader, npy_reader) give to TableReader.
#pragma once

#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn::cli {

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

std::vector<std::string> numbered_names(Index columns);

}  // namespace bkernn::cli
