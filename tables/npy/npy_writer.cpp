#include "tables/npy/npy_writer.hpp"

#include "bkernn/error.hpp"
#include "tables/npy/npy_header.hpp"

namespace bkernn::tables {

NpyWriter::NpyWriter(const std::string& path, Index columns)
    : path_(path), file_(path), columns_(columns) {
  const std::string header = npy_header(0, columns_);
  file_.write(header.data(), header.size());
}

void NpyWriter::write(const MatrixView& values, const Labels& labels) {
  if (!labels.empty()) {
    throw IoError(path_ + ": .npy files hold only numbers: write words to a .csv file");
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor rows = values;
  file_.write(rows.data(), static_cast<std::size_t>(rows.size()) * sizeof(double));
  rows_ += rows.rows();
}

void NpyWriter::commit() {
  const std::string header = npy_header(rows_, columns_);
  file_.rewrite(0, header.data(), header.size());
  file_.commit();
}

}  // namespace bkernn::tables
