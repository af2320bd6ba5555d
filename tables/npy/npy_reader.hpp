// NumPy .npy files as rows of numbers (see npy_header.hpp for what is accepted).
//
// Memory is bounded: C order is read as it comes, Fortran order column by column within each block
// of rows. That takes seeking, so a Fortran-ordered array that comes through a pipe or gzip has to
// be held in memory as a whole. An array has no column names. Its numbers must be finite; an
// infinite one is refused, NaN is a missing value. The file must end where the array does.
//
// A header may claim any shape in a few bytes. It is believed, and memory taken by it, only after
// the bytes of the array (of its first row, where the size of a stream is not known) were found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tables/byte_source.hpp"
#include "tables/npy/npy_header.hpp"
#include "tables/table_problems.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

class NpyReader : public RowSource {
 public:
  explicit NpyReader(std::unique_ptr<ByteSource> source);

  const std::vector<std::string>& names() const override { return names_; }
  bool has_header() const override { return false; }
  bool next(const Selection& selection, std::vector<RowPiece>& pieces) override;

 private:
  // Where the items of a selected column stand in memory, from the first row of the block on.
  struct ColumnInMemory {
    const char* first;
    std::size_t stride;
  };

  void check_size();
  std::vector<ColumnInMemory> load(const Selection& selection, Index rows);
  void read_all_data();
  void check_end();
  RowPiece convert(const std::vector<ColumnInMemory>& columns, const Selection& selection,
                   Index begin, Index end, Problems& problems) const;
  [[noreturn]] void truncated(std::size_t have) const;

  std::unique_ptr<ByteSource> source_;
  NpyHeader header_;
  std::vector<std::string> names_;
  std::vector<char> data_;  // the items of the current block, or all of them
  Index row_ = 0;           // rows given so far
};

}  // namespace bkernn::tables
