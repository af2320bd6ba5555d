// CSV files as rows of numbers.
//
// Format: UTF-8 text (a byte order mark is skipped), lines ended by LF or CRLF, the last one
// perhaps by nothing; cells as in csv_cell.hpp, separated by the comma, semicolon or tab that
// occurs most often in the first line. The first line is a header if some cell of it is no number
// and not missing. Both guesses can be overruled. Every row has as many cells as the first.
//
// Text is read in chunks of a few megabytes, cut into pieces at line breaks that are not within
// quotes, and the pieces are parsed in parallel. The cut is one sequential pass that jumps from
// quote to quote: where there are few, it costs next to nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tables/byte_source.hpp"
#include "tables/table_problems.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

struct CsvFormat {
  std::optional<char> separator;  // one of , ; tab; unset: detected
  std::optional<bool> header;     // unset: detected
};

class CsvReader : public RowSource {
 public:
  CsvReader(std::unique_ptr<ByteSource> source, const CsvFormat& format);

  const std::vector<std::string>& names() const override { return names_; }
  bool has_header() const override { return has_header_; }
  bool next(const Selection& selection, std::vector<RowPiece>& pieces) override;

 private:
  std::vector<std::size_t> next_chunk();
  void fill(std::size_t wanted);
  void read_first_row(const CsvFormat& format);
  void skip_empty_lines();
  void take_header(const std::vector<std::string>& cells);
  [[noreturn]] void row_too_long(const Selection& selection) const;
  FileDescription description() const;

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> buffer_;  // what has been read and not been parsed: [begin_, end_)
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool source_ended_ = false;
  Index line_ = 1;  // at begin_

  char separator_ = ',';
  bool has_header_ = false;
  std::string header_;  // its line, if no row can be the same: several names, not all numbers
  std::vector<std::string> names_;
};

// Cuts text that starts with a new row into pieces of at least `piece` bytes: returns 0 and the end
// of each piece, the last of which is the end of the last complete row.
std::vector<std::size_t> cut_at_row_ends(const char* text, std::size_t size, std::size_t piece);

}  // namespace bkernn::tables
