// What every table reader promises: a whole file and its blocks are the same, and what was read is
// written and read back with the same bits.
#pragma once

#include <cstring>

#include "bkernn/error.hpp"
#include "check.hpp"
#include "scratch.hpp"
#include "tables/table_reader.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::fuzz {

inline bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(),
                                       sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

inline void check_table(const Scratch& scratch, const std::string& path,
                        const tables::CsvFormat& format, const std::string& copy) {
  try {
    const tables::Table whole = tables::read_table(path, format);
    BKERNN_FUZZ_CHECK(whole.values.allFinite());
    tables::TableReader reader(path, format);
    tables::Table block;
    Index rows = 0;
    while (reader.next(block, 3)) {
      BKERNN_FUZZ_CHECK(
          same_bits(block.values, whole.values.middleRows(rows, block.values.rows())));
      rows += block.values.rows();
    }
    BKERNN_FUZZ_CHECK(rows == whole.values.rows());
    tables::TableWriter writer(scratch.path(copy), whole.names);
    writer.write(whole.values);
    writer.commit();
    const tables::Table again =
        tables::read_table(scratch.path(copy), {.separator = {}, .header = true});
    BKERNN_FUZZ_CHECK(same_bits(again.values, whole.values));
  } catch (const Error&) {
  }
}

}  // namespace bkernn::fuzz
