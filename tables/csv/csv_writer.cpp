#include "tables/csv/csv_writer.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "tables/csv/csv_cell.hpp"

namespace bkernn::tables {
namespace {

constexpr Index kRowsPerPiece = 2048;
constexpr double kCostPerNumber = 100;

std::string format_rows(const MatrixView& values, const Labels& labels, Index begin, Index end) {
  std::vector<const std::vector<std::string>*> words(static_cast<std::size_t>(values.cols()));
  for (const auto& [column, column_words] : labels) words[column] = &column_words;
  std::string text;
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      if (words[j] != nullptr) {
        text += quote_if_needed((*words[j])[i]);
      } else {
        append_shortest(text, values(i, j));
      }
      text += j + 1 < values.cols() ? ',' : '\n';
    }
  }
  return text;
}

}  // namespace

CsvWriter::CsvWriter(const std::string& path, const std::vector<std::string>& names)
    : sink_(open_byte_sink(path)) {
  std::string header;
  for (const std::string& name : names) header += quote_if_needed(name) + ',';
  header.back() = '\n';
  sink_->write(header.data(), header.size());
}

void CsvWriter::write(const MatrixView& values, const Labels& labels) {
  const Index pieces = (values.rows() + kRowsPerPiece - 1) / kRowsPerPiece;
  std::vector<std::string> texts(static_cast<std::size_t>(pieces));
  parallel_for(pieces, kCostPerNumber * static_cast<double>(values.size()), [&](Index b) {
    const Index begin = b * kRowsPerPiece;
    texts[b] = format_rows(values, labels, begin, std::min(values.rows(), begin + kRowsPerPiece));
  });
  for (const std::string& text : texts) sink_->write(text.data(), text.size());
}

}  // namespace bkernn::tables
