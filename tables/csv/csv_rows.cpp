#include "tables/csv/csv_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/level_limits.hpp"
#include "base/utf8.hpp"
#include "tables/csv/csv_cell.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kTextToTell = 40;

std::string shorten(std::string_view text) {
  std::string result = "\"" + std::string(text.substr(0, kTextToTell)) + "\"";
  if (text.size() > kTextToTell) result.insert(result.size() - 1, "…");
  return result;
}

bool is_decimal_comma(std::string_view text) {
  return std::count(text.begin(), text.end(), ',') == 1 &&
         text.find_first_not_of("+-0123456789,eE") == std::string_view::npos;
}

std::string not_a_number(std::string_view text) {
  std::string message = shorten(text) + " is not a number";
  if (is_decimal_comma(text)) return message + " (write the decimal sign as a point)";
  return message;
}

class Parser {
 public:
  Parser(const char* begin, const char* end, const CsvLayout& layout)
      : p_(begin), end_(end), layout_(layout) {
    piece_.rows.labels.resize(static_cast<std::size_t>(layout.text_columns));
    piece_.rows.words.resize(static_cast<std::size_t>(layout.word_columns));
    known_.resize(piece_.rows.words.size());
  }

  CsvPiece run() {
    while (p_ != end_ && !piece_.problems.failed()) {
      if (layout_.columns == 1 || !skip_empty_line()) row();
    }
    return std::move(piece_);
  }

 private:
  bool skip_empty_line() {
    const char* p = *p_ == '\r' && p_ + 1 != end_ ? p_ + 1 : p_;
    if (*p != '\n') return false;
    p_ = p + 1;
    ++piece_.lines;
    return true;
  }

  bool is_header() const {
    return !layout_.header.empty() &&
           std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(layout_.header);
  }

  void row() {
    if (is_header()) {
      piece_.problems.fail(piece_.lines, Problems::kWholeRow,
                           "the header again: files that were joined have one each");
      return;
    }
    missing_.clear();
    wrong_column_ = Problems::kWholeRow;
    wrong_.clear();
    const Index line = piece_.lines;
    std::vector<double>& values = piece_.rows.values;
    values.resize(values.size() + static_cast<std::size_t>(layout_.selected));
    double* row = values.data() + values.size() - layout_.selected;

    Index column = 0;
    for (bool more = true; more; ++column) {
      const bool known = column < layout_.columns;
      const Index slot = known ? layout_.value_slot[column] : CsvLayout::kNone;
      const bool done =
          slot != CsvLayout::kNone && layout_.fast[column] ? fast_number(row[slot]) : false;
      if (!done && !cell(column, slot == CsvLayout::kNone ? nullptr : row + slot)) {
        piece_.problems.fail(line, column < layout_.columns ? column : Problems::kWholeRow, wrong_);
        return;
      }
      more = p_ != end_ && *p_ == layout_.separator;
      if (p_ != end_) ++p_;
    }
    ++piece_.lines;
    if (column != layout_.columns) {
      piece_.problems.fail(line, Problems::kWholeRow,
                           "expected " + std::to_string(layout_.columns) + " fields, found " +
                               std::to_string(column));
      return;
    }
    ++piece_.rows.rows;
    if (!wrong_.empty()) {
      piece_.problems.fail(line, wrong_column_, wrong_);
      return;
    }
    for (const Index c : missing_) piece_.problems.missing(line, c);
  }

  // The common case: a number and right after it the separator or the end of the line.
  bool fast_number(double& value) {
    const auto [after, error] = std::from_chars(p_, end_, value);
    if (error != std::errc() || after == end_ || !std::isfinite(value)) return false;
    if (*after == layout_.separator || *after == '\n') {
      p_ = after;
      return true;
    }
    if (*after == '\r' && after + 1 != end_ && after[1] == '\n') {
      p_ = after + 1;
      return true;
    }
    return false;
  }

  // Any cell; `value` is null if it is not wanted. False if the row cannot be cut into cells.
  bool cell(Index column, double* value) {
    const Cell cell = read_cell(p_, end_, layout_.separator, storage_);
    if (cell.fault != CellFault::kNone) {
      wrong_ = describe(cell.fault);
      return false;
    }
    if (cell.quoted) piece_.lines += std::count(p_, cell.end, '\n');
    p_ = cell.end;
    if (value != nullptr) interpret(cell, column, *value);
    return true;
  }

  void interpret(const Cell& cell, Index column, double& value) {
    const Cells cells = layout_.cells[column];
    const bool may_be_text = keeps_text(cells), may_be_word = keeps_words(cells);
    CellKind kind = classify(cell.text, value);
    // "NA" in quotes is a word, as in R.
    if ((may_be_text || may_be_word) && kind == CellKind::kMissing && cell.quoted &&
        !cell.text.empty()) {
      kind = CellKind::kWord;
    }
    if (kind != CellKind::kNumber) value = std::numeric_limits<double>::quiet_NaN();
    if (kind == CellKind::kMissing && !allows_gaps(cells)) missing_.push_back(column);
    if (may_be_text) {
      const bool gap = kind == CellKind::kMissing;
      piece_.rows.labels[layout_.label_slot[column]].emplace_back(gap ? std::string_view()
                                                                      : cell.text);
      return;
    }
    const bool word =
        cells == Cells::words ? kind != CellKind::kMissing : may_be_word && kind == CellKind::kWord;
    if (!wrong_.empty()) return;
    if (word) {
      add_word(cell.text, layout_.word_slot[column]);
    } else if (kind == CellKind::kWord) {
      wrong_ = not_a_number(cell.text);
    } else if (kind == CellKind::kInfinite) {
      wrong_ = shorten(cell.text) + " is not a finite number";
    }
    if (!wrong_.empty()) wrong_column_ = column;
  }

  void add_word(std::string_view text, Index slot) {
    if (text.size() > kLongestLevel) {
      wrong_ =
          "a word of " + std::to_string(text.size()) + " bytes: a level has at most a megabyte";
      return;
    }
    PieceWords& words = piece_.rows.words[slot];
    const auto next = static_cast<std::int32_t>(words.levels.size());
    const auto [place, is_new] = known_[slot].emplace(text, next);
    if (is_new) {
      if (!is_utf8(place->first)) wrong_ = "is not UTF-8 text: save the file as UTF-8";
      words.levels.push_back(place->first);
    }
    if (words.cells.empty()) words.first_line = piece_.lines;
    words.cells.push_back({piece_.rows.rows, place->second});
  }

  const char* p_;
  const char* end_;
  const CsvLayout& layout_;
  CsvPiece piece_;
  std::string storage_;
  std::vector<std::unordered_map<std::string, std::int32_t>> known_;  // of each column of words

  // Of the row being read: reported once it is known to have the right number of cells.
  std::vector<Index> missing_;
  Index wrong_column_ = Problems::kWholeRow;
  std::string wrong_;
};

}  // namespace

CsvLayout::CsvLayout(char sep, std::string_view names, Index n_columns, const Selection& selection)
    : separator(sep),
      header(names),
      columns(n_columns),
      selected(selection.size()),
      value_slot(static_cast<std::size_t>(n_columns), kNone),
      label_slot(static_cast<std::size_t>(n_columns), kNone),
      word_slot(static_cast<std::size_t>(n_columns), kNone),
      cells(static_cast<std::size_t>(n_columns), Cells::numbers),
      fast(static_cast<std::size_t>(n_columns), 0) {
  for (Index i = 0; i < selected; ++i) {
    const Index column = selection.columns[i];
    value_slot[column] = i;
    cells[column] = selection.cells[i];
    if (keeps_text(cells[column])) label_slot[column] = text_columns++;
    if (keeps_words(cells[column])) word_slot[column] = word_columns++;
    fast[column] = !keeps_text(cells[column]) && cells[column] != Cells::words;
  }
}

CsvPiece parse_rows(const char* begin, const char* end, const CsvLayout& layout) {
  return Parser(begin, end, layout).run();
}

}  // namespace bkernn::tables
