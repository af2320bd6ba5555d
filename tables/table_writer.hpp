// Writes tables to files, block by block. The name decides the format: .npy is a NumPy array of
// float64, anything else is CSV with a header, compressed if the name ends in .gz; "-" is CSV on
// standard output.
//
// Numbers are written with as few digits as give back the same double when read. Names and words
// are quoted where needed. A file appears whole, at commit(), or not at all (see atomic_file.hpp).
//
//   TableWriter writer("predictions.csv", {"prediction"});
//   while (…) writer.write(block);
//   writer.commit();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/types.hpp"
#include "tables/table.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

class TableWriter {
 public:
  TableWriter(const std::string& path, const std::vector<std::string>& names);

  // Appends rows; as many columns as there are names. The words of `labels` replace the numbers of
  // their columns: only CSV holds words.
  void write(const MatrixView& values, const Labels& labels = {});
  void commit();

 private:
  Index columns_;
  std::unique_ptr<RowSink> sink_;
};

}  // namespace bkernn::tables
