// CSV files: see table_writer.hpp. Separated by commas, lines ended by LF.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tables/table_rows.hpp"
#include "tables/table_sink.hpp"

namespace bkernn::tables {

class CsvWriter : public RowSink {
 public:
  CsvWriter(const std::string& path, const std::vector<std::string>& names);
  void write(const MatrixView& values, const Labels& labels) override;
  void commit() override { sink_->commit(); }

 private:
  std::unique_ptr<ByteSink> sink_;
};

}  // namespace bkernn::tables
