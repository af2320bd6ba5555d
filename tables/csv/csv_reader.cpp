#include "tables/csv/csv_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "bkernn/error.hpp"
#include "tables/csv/csv_cell.hpp"
#include "tables/csv/csv_rows.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kChunk = 8 << 20;
constexpr std::size_t kPiece = 256 << 10;
constexpr std::size_t kLongestRow = 64 << 20;
constexpr std::ptrdiff_t kBytesToJudge = 4096;
constexpr double kCostPerByte = 3;

const char* find_char(const char* begin, const char* end, char c) {
  const void* found = std::memchr(begin, c, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

void refuse_binary(const std::string& file, const char* begin, const char* end) {
  end = begin + std::min(end - begin, kBytesToJudge);
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw IoError(file + ": is UTF-16 text: save it as UTF-8");
  }
  if (find_char(begin, end, '\0') != end) {
    throw IoError(file + ": is neither a CSV nor a NumPy (.npy) file");
  }
}

// The first row, which may lack its line feed at the end of the file.
const char* end_of_row(const char* begin, const char* end) {
  bool quoted = false;
  for (const char* p = begin; p != end; ++p) {
    if (*p == '"') quoted = !quoted;
    if (*p == '\n' && !quoted) return p + 1;
  }
  return end;
}

char detect_separator(const char* begin, const char* end) {
  static constexpr std::array<char, 3> kSeparators = {',', ';', '\t'};
  std::array<Index, 3> count{};
  bool quoted = false;
  for (const char* p = begin; p != end; ++p) {
    if (*p == '"') quoted = !quoted;
    for (std::size_t i = 0; i < count.size(); ++i) count[i] += !quoted && *p == kSeparators[i];
  }
  return kSeparators[std::max_element(count.begin(), count.end()) - count.begin()];
}

bool looks_like_data(const std::string& cell) {
  double ignored = 0;
  return classify(cell, ignored) != CellKind::kWord;
}

}  // namespace

std::vector<std::size_t> cut_at_row_ends(const char* text, std::size_t size, std::size_t piece) {
  std::vector<std::size_t> cuts = {0};
  const char* const end = text + size;
  const char* last_row_end = text;
  bool quoted = false;
  for (const char* p = text; p <= end;) {
    const char* quote = find_char(p, end, '"');
    while (!quoted) {
      const char* wanted = std::max(p, text + std::min(cuts.back() + piece, size));
      const char* line_feed = wanted < quote ? find_char(wanted, quote, '\n') : quote;
      if (line_feed == quote) break;
      cuts.push_back(static_cast<std::size_t>(line_feed + 1 - text));
    }
    if (!quoted && p < quote) {
      const void* last = ::memrchr(p, '\n', static_cast<std::size_t>(quote - p));
      if (last != nullptr) last_row_end = static_cast<const char*>(last) + 1;
    }
    quoted = !quoted;
    p = quote + 1;
  }
  const std::size_t complete = static_cast<std::size_t>(last_row_end - text);
  if (cuts.back() != complete) cuts.push_back(complete);
  return cuts;
}

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, const CsvFormat& format)
    : source_(std::move(source)) {
  if (format.separator) {
    const char separator = *format.separator;
    require(separator == ',' || separator == ';' || separator == '\t', "separator", separator,
            "must be a comma, a semicolon or a tab");
  }
  fill(kChunk);
  read_first_row(format);
}

// Keeps what is left and reads until `wanted` bytes are there.
void CsvReader::fill(std::size_t wanted) {
  const std::size_t kept = end_ - begin_;
  if (wanted >= capacity_) {
    capacity_ = wanted + 1;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    std::copy_n(buffer_.get() + begin_, kept, larger.get());
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.get(), buffer_.get() + begin_, kept);
  }
  begin_ = 0;
  end_ = kept;
  if (source_ended_ || kept >= wanted) return;
  end_ += source_->read(buffer_.get() + kept, wanted - kept);
  source_ended_ = end_ < wanted;
  if (source_ended_ && end_ > 0 && buffer_[end_ - 1] != '\n') buffer_[end_++] = '\n';
}

void CsvReader::read_first_row(const CsvFormat& format) {
  const auto begin = [&] { return buffer_.get() + begin_; };
  const auto end = [&] { return buffer_.get() + end_; };
  if (std::string_view(begin(), end_).starts_with("\xef\xbb\xbf")) begin_ = 3;
  skip_empty_lines();
  if (begin_ == end_) throw IoError(source_->name() + ": is empty");
  refuse_binary(source_->name(), begin(), end());
  const char* row_end = end_of_row(begin(), end());
  while (row_end == end() && !source_ended_ && end_ < kLongestRow) {
    fill(end_ + kChunk);
    row_end = end_of_row(begin(), end());
  }
  if (row_end == end() && !source_ended_ && end_ >= kLongestRow) {
    throw IoError(source_->name() + ": the first row is longer than " +
                  std::to_string(kLongestRow >> 20) + " MB: is this a CSV file?");
  }
  separator_ = format.separator.value_or(detect_separator(begin(), row_end));

  std::vector<std::string> cells;
  std::string storage;
  for (const char* p = begin(); p != row_end; ++p) {
    const Cell cell = read_cell(p, row_end, separator_, storage);
    if (cell.fault != CellFault::kNone) {
      throw IoError(source_->name() + ": line " + std::to_string(line_) + ": " +
                    describe(cell.fault));
    }
    cells.emplace_back(cell.text);
    p = cell.end;
    if (p == row_end) break;
  }
  const bool numbers = std::all_of(cells.begin(), cells.end(), looks_like_data);
  has_header_ = format.header.value_or(!numbers);
  if (!has_header_) {
    names_ = numbered_names("column", static_cast<Index>(cells.size()));
    return;
  }
  take_header(cells);
  if (cells.size() > 1 && !numbers)
    header_.assign(begin(), static_cast<std::size_t>(row_end - begin()));
  line_ += std::count<const char*>(begin(), row_end, '\n');
  begin_ = static_cast<std::size_t>(row_end - buffer_.get());
}

void CsvReader::skip_empty_lines() {
  for (;;) {
    std::size_t p = begin_;
    if (p < end_ && buffer_[p] == '\r') ++p;
    if (p >= end_ || buffer_[p] != '\n') return;
    begin_ = p + 1;
    ++line_;
  }
}

void CsvReader::take_header(const std::vector<std::string>& cells) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!is_utf8(cells[i])) {
      throw IoError(source_->name() + ": line " + std::to_string(line_) + ": the name of column " +
                    std::to_string(i + 1) + " is not UTF-8 text: save the file as UTF-8");
    }
    const auto [first, is_new] = seen.emplace(cells[i], i);
    if (is_new) continue;
    throw IoError(source_->name() + ": line " + std::to_string(line_) + ": columns " +
                  std::to_string(first->second + 1) + " and " + std::to_string(i + 1) +
                  " have the same name \"" + cells[i] + "\"");
  }
  names_ = cells;
}

// Fills the buffer and cuts it; no cuts but 0 at the end of the file.
std::vector<std::size_t> CsvReader::next_chunk() {
  for (std::size_t wanted = kChunk;; wanted += kChunk) {
    fill(wanted);
    std::vector<std::size_t> cuts = cut_at_row_ends(buffer_.get(), end_, kPiece);
    if (source_ended_ && cuts.back() != end_) cuts.push_back(end_);
    if (cuts.size() > 1 || source_ended_ || end_ >= kLongestRow) return cuts;
  }
}

bool CsvReader::next(const Selection& selection, std::vector<RowPiece>& pieces) {
  const CsvLayout layout(separator_, header_, static_cast<Index>(names_.size()), selection);
  Problems problems;
  for (;;) {
    const std::vector<std::size_t> cuts = next_chunk();
    if (cuts.size() == 1 && !source_ended_) row_too_long(selection);
    const Index blocks = static_cast<Index>(cuts.size()) - 1;
    std::vector<CsvPiece> parsed(static_cast<std::size_t>(blocks));
    parallel_for(blocks, kCostPerByte * static_cast<double>(cuts.back()), [&](Index b) {
      parsed[b] = parse_rows(buffer_.get() + cuts[b], buffer_.get() + cuts[b + 1], layout);
    });
    for (CsvPiece& piece : parsed) {
      problems.append(piece.problems, line_);
      if (problems.failed()) break;
      for (PieceWords& words : piece.rows.words) words.first_line += line_;
      line_ += piece.lines;
      if (problems.none()) pieces.push_back(std::move(piece.rows));
    }
    begin_ = cuts.back();
    const bool ended = blocks == 0;
    if (!problems.none() && (ended || problems.failed())) problems.report(description());
    if (problems.none()) return !ended;
  }
}

void CsvReader::row_too_long(const Selection& selection) const {
  const CsvLayout layout(separator_, header_, static_cast<Index>(names_.size()), selection);
  const CsvPiece piece = parse_rows(buffer_.get(), buffer_.get() + end_, layout);
  Problems problems;
  if (piece.problems.failed()) {
    problems.append(piece.problems, line_);
  } else {
    problems.fail(line_, Problems::kWholeRow,
                  "is longer than " + std::to_string(kLongestRow >> 20) + " MB");
  }
  problems.report(description());
}

FileDescription CsvReader::description() const {
  return {source_->name(), "line", has_header_ ? names_ : std::vector<std::string>{}};
}

}  // namespace bkernn::tables
