#include "tables/table_writer.hpp"

#include "bkernn/error.hpp"
#include "tables/csv/csv_writer.hpp"
#include "tables/npy/npy_writer.hpp"
#include "tables/table_sink.hpp"

namespace bkernn::tables {
namespace {

std::unique_ptr<RowSink> open_row_sink(const std::string& path,
                                       const std::vector<std::string>& names) {
  if (has_extension(path, ".npy.gz")) {
    throw IoError(path + ": .npy files are not compressed: write .npy or .csv.gz");
  }
  if (has_extension(path, ".npy")) {
    return std::make_unique<NpyWriter>(path, static_cast<Index>(names.size()));
  }
  return std::make_unique<CsvWriter>(path, names);
}

}  // namespace

TableWriter::TableWriter(const std::string& path, const std::vector<std::string>& names)
    : columns_(static_cast<Index>(names.size())) {
  require(columns_ >= 1, "names", columns_, "must be at least one column");
  sink_ = open_row_sink(path, names);
}

void TableWriter::write(const MatrixView& values, const Labels& labels) {
  require(values.cols() == columns_, "columns", values.cols(),
          "must be " + std::to_string(columns_) + ", as there are names");
  for (const auto& [column, words] : labels) {
    require(column >= 0 && column < columns_, "column of labels", column, "does not exist");
    require(static_cast<Index>(words.size()) == values.rows(), "labels", words.size(),
            "must be one for each row");
  }
  sink_->write(values, labels);
}

void TableWriter::commit() {
  sink_->commit();
}

}  // namespace bkernn::tables
