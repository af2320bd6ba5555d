// Reads tables from files: CSV (csv_reader.hpp) or NumPy .npy (npy_reader.hpp), compressed by gzip
// or not, "-" for standard input. What it is, is seen from the first bytes, not from the name.
//
//   TableReader reader("data.csv");
//   reader.select(reader.match({"age", "height"}));
//   for (Table block; reader.next(block);) predict(block.values);
//
// Memory is bounded by the block (but see npy_reader.hpp), so files may be larger than memory. All
// errors are IoErrors that name the file; those about its contents name the first bad row, whatever
// the number of threads, perhaps before the block that holds it has been reached.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tables/csv/csv_reader.hpp"
#include "tables/table.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

class TableReader {
 public:
  static constexpr Index kBlockRows = 65536;

  // `format` is for CSV only.
  explicit TableReader(const std::string& path, const CsvFormat& format = {});

  // All columns of the file. Without a header they are called column1, column2, …
  const std::vector<std::string>& names() const { return source_->names(); }
  bool has_header() const { return source_->has_header(); }

  // match_columns for this file.
  std::vector<Index> match(const std::vector<std::string>& wanted) const;

  // Reads only these columns, in this order; text is kept of those that `text` lists as well. The
  // other columns may hold anything. To be called before the first block; by default all columns
  // are read, and all must be numbers.
  void select(const std::vector<Index>& columns, const std::vector<Index>& text = {});
  void select(const std::vector<Index>& columns, const std::vector<Cells>& cells);

  // "data.csv: line 7, column 3 ("age")".
  std::string place(Index line, const std::string& column) const;

  // The next rows: `max_rows` of them, fewer only in the last block; false after it. A file without
  // any row is an IoError.
  bool next(Table& block, Index max_rows = kBlockRows);

  // All rows that are left, as one table.
  Table read_all();

 private:
  void copy_rows(Table& block, Index rows);
  class Levels;
  void copy_words(const RowPiece& piece, Index from, Index rows, Index to, Table& block,
                  std::map<Index, Levels>& levels) const;

  std::string name_;
  std::unique_ptr<RowSource> source_;
  Selection selection_;
  std::vector<RowPiece> pieces_;  // read and not yet given, from row `first_` of the first one on
  Index first_ = 0;
  Index waiting_ = 0;  // rows in pieces_
  bool ended_ = false;
  bool started_ = false;
};

// The whole file. `text` names the columns that may hold words.
Table read_table(const std::string& path, const CsvFormat& format = {},
                 const std::vector<std::string>& text = {});

}  // namespace bkernn::tables
