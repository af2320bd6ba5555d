#include "tables/npy/npy_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include "base/parallel.hpp"
#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

constexpr Index kBlockItems = 1 << 20;
constexpr Index kPieceItems = 1 << 15;
constexpr std::size_t kChunk = 8 << 20;

using Converter = void (*)(const char* from, std::size_t stride, bool swapped, Index count,
                           double* to, Index to_stride);

template <class Item>
void convert_items(const char* from, std::size_t stride, bool swapped, Index count, double* to,
                   Index to_stride) {
  for (Index i = 0; i < count; ++i, from += stride, to += to_stride) {
    char bytes[sizeof(Item)];
    std::memcpy(bytes, from, sizeof bytes);
    if (swapped) std::reverse(std::begin(bytes), std::end(bytes));
    Item item;
    std::memcpy(&item, bytes, sizeof bytes);
    *to = static_cast<double>(item);
  }
}

template <class I1, class I2, class I4, class I8>
Converter integer_converter(std::size_t size) {
  switch (size) {
    case 1:
      return convert_items<I1>;
    case 2:
      return convert_items<I2>;
    case 4:
      return convert_items<I4>;
    default:
      return convert_items<I8>;
  }
}

Converter converter_of(const NpyHeader& header) {
  if (header.kind == 'f') {
    return header.item_size == 4 ? convert_items<float> : convert_items<double>;
  }
  if (header.kind == 'i') {
    return integer_converter<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
        header.item_size);
  }
  return integer_converter<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(
      header.item_size);
}

}  // namespace

NpyReader::NpyReader(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), header_(read_npy_header(*source_)) {
  check_size();
  names_ = numbered_names("column", header_.columns);
}

void NpyReader::check_size() {
  if (header_.rows == 0) {
    throw IoError(source_->name() + ": has no rows: its array has shape " + header_.shape());
  }
  if (header_.fortran_order && !source_->seekable()) return read_all_data();
  const std::size_t row = static_cast<std::size_t>(header_.columns) * header_.item_size;
  const std::size_t needed = source_->seekable() ? header_.data_size() : row;
  const std::size_t have = source_->available(needed);
  if (have < needed) truncated(have);
}

bool NpyReader::next(const Selection& selection, std::vector<RowPiece>& pieces) {
  Problems problems;
  while (row_ < header_.rows) {
    const Index rows =
        std::min(header_.rows - row_, std::max<Index>(1, kBlockItems / header_.columns));
    const std::vector<ColumnInMemory> columns = load(selection, rows);
    const Index rows_per_piece = std::max<Index>(1, kPieceItems / header_.columns);
    const Index blocks = (rows + rows_per_piece - 1) / rows_per_piece;
    std::vector<RowPiece> converted(static_cast<std::size_t>(blocks));
    std::vector<Problems> found(static_cast<std::size_t>(blocks));
    parallel_for(blocks, static_cast<double>(rows * selection.size()), [&](Index b) {
      const Index begin = b * rows_per_piece;
      converted[b] =
          convert(columns, selection, begin, std::min(rows, begin + rows_per_piece), found[b]);
    });
    for (Index b = 0; b < blocks && !problems.failed(); ++b) {
      problems.append(found[b], row_ + b * rows_per_piece + 1);
      if (problems.none()) pieces.push_back(std::move(converted[b]));
    }
    row_ += rows;
    if (row_ == header_.rows) check_end();
    if (problems.none()) return true;
    if (problems.failed()) break;
  }
  if (!problems.none()) problems.report({source_->name(), "row", {}});
  return false;
}

std::vector<NpyReader::ColumnInMemory> NpyReader::load(const Selection& selection, Index rows) {
  const std::size_t item = header_.item_size;
  const std::size_t count = static_cast<std::size_t>(rows);
  const std::size_t width = static_cast<std::size_t>(header_.columns);
  std::vector<ColumnInMemory> columns(selection.columns.size());
  if (!header_.fortran_order) {
    data_.resize(count * width * item);
    const std::size_t got = source_->read(data_.data(), data_.size());
    if (got < data_.size()) truncated(static_cast<std::size_t>(row_) * width * item + got);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j] = {data_.data() + static_cast<std::size_t>(selection.columns[j]) * item,
                    width * item};
    }
    return columns;
  }
  if (source_->seekable()) data_.resize(count * columns.size() * item);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::size_t offset =
        static_cast<std::size_t>(selection.columns[j] * header_.rows + row_) * item;
    if (source_->seekable()) {
      char* to = data_.data() + j * count * item;
      const std::size_t got = source_->read_at(header_.data_offset + offset, to, count * item);
      if (got < count * item) truncated(offset + got);
      columns[j] = {to, item};
    } else {
      columns[j] = {data_.data() + offset, item};
    }
  }
  return columns;
}

// In steps, so that a damaged header cannot ask for more memory than there are data.
void NpyReader::read_all_data() {
  const std::size_t size = header_.data_size();
  while (data_.size() < size) {
    const std::size_t have = data_.size();
    data_.resize(std::min(size, have + kChunk));
    const std::size_t got = source_->read(data_.data() + have, data_.size() - have);
    if (have + got < data_.size()) truncated(have + got);
  }
}

void NpyReader::check_end() {
  char extra;
  const bool seeks = header_.fortran_order && source_->seekable();
  const std::size_t more =
      seeks ? source_->read_at(header_.data_offset + header_.data_size(), &extra, 1)
            : source_->read(&extra, 1);
  if (more > 0) throw IoError(source_->name() + ": the file goes on after the end of the array");
}

RowPiece NpyReader::convert(const std::vector<ColumnInMemory>& columns, const Selection& selection,
                            Index begin, Index end, Problems& problems) const {
  RowPiece piece;
  piece.rows = end - begin;
  const Index width = selection.size();
  piece.values.resize(static_cast<std::size_t>(piece.rows * width));
  const Converter converter = converter_of(header_);
  for (Index j = 0; j < width; ++j) {
    converter(columns[j].first + static_cast<std::size_t>(begin) * columns[j].stride,
              columns[j].stride, header_.swapped, piece.rows, piece.values.data() + j, width);
    const auto value = [&](Index i) { return piece.values[i * width + j]; };
    if (keeps_text(selection.cells[j])) {
      std::vector<std::string>& labels = piece.labels.emplace_back();
      for (Index i = 0; i < piece.rows; ++i)
        labels.push_back(std::isnan(value(i)) ? "" : shortest_text(value(i)));
    }
    if (!keeps_words(selection.cells[j])) continue;
    PieceWords& words = piece.words.emplace_back();
    if (selection.cells[j] == Cells::mixed) continue;
    std::map<double, std::int32_t> known;
    for (Index i = 0; i < piece.rows; ++i) {
      if (!std::isfinite(value(i))) continue;
      const auto [place, is_new] = known.emplace(value(i), static_cast<std::int32_t>(known.size()));
      if (is_new) words.levels.push_back(shortest_text(value(i)));
      words.cells.push_back({i, place->second});
    }
  }
  for (Index i = 0; i < piece.rows * width; ++i) {
    if (std::isfinite(piece.values[i])) continue;
    const Index column = selection.columns[i % width];
    if (std::isnan(piece.values[i])) {
      if (allows_gaps(selection.cells[i % width])) continue;
      problems.missing(i / width, column);
    } else {
      problems.fail(i / width, column, "is infinite");
      break;
    }
  }
  return piece;
}

void NpyReader::truncated(std::size_t have) const {
  throw IoError(source_->name() + ": truncated: an array of shape " + header_.shape() + " has " +
                std::to_string(header_.data_size()) + " bytes, the file " + std::to_string(have) +
                " of them");
}

}  // namespace bkernn::tables
