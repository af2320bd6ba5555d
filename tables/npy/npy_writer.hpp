// NumPy .npy files: see table_writer.hpp, and npy_header.hpp for the format.
#pragma once

#include <string>

#include "base/atomic_file.hpp"
#include "tables/table_rows.hpp"

namespace bkernn::tables {

class NpyWriter : public RowSink {
 public:
  NpyWriter(const std::string& path, Index columns);
  void write(const MatrixView& values, const Labels& labels) override;
  void commit() override;

 private:
  std::string path_;
  AtomicFile file_;
  Index rows_ = 0;
  Index columns_;
};

}  // namespace bkernn::tables
