#include "tables/table_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/level_limits.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "tables/npy/npy_reader.hpp"

namespace bkernn::tables {
namespace {

// Rows [from, from + rows) of a piece, to be row `to` of the block.
struct Part {
  RowPiece* piece;
  Index from, rows, to;
};

void copy_values(const Part& part, Matrix& values) {
  const Index width = values.cols();
  const double* from = part.piece->values.data() + part.from * width;
  for (Index j = 0; j < width; ++j) {
    double* to = values.data() + j * values.rows() + part.to;
    for (Index i = 0; i < part.rows; ++i) to[i] = from[i * width + j];
  }
}

}  // namespace

// The words of one column of a block, each once.
class TableReader::Levels {
 public:
  std::int32_t code(const std::string& word) {
    return known_.emplace(word, static_cast<std::int32_t>(known_.size())).first->second;
  }

  std::size_t size() const { return known_.size(); }

  std::vector<std::string> release() {
    std::vector<std::string> all(known_.size());
    while (!known_.empty()) {
      auto one = known_.extract(known_.begin());
      all[static_cast<std::size_t>(one.mapped())] = std::move(one.key());
    }
    return all;
  }

 private:
  std::unordered_map<std::string, std::int32_t> known_;
};

TableReader::TableReader(const std::string& path, const CsvFormat& format) {
  std::unique_ptr<ByteSource> bytes = open_byte_source(path);
  name_ = bytes->name();
  if (bytes->peek(sizeof kNpyMagic - 1).starts_with(kNpyMagic)) {
    source_ = std::make_unique<NpyReader>(std::move(bytes));
  } else {
    source_ = std::make_unique<CsvReader>(std::move(bytes), format);
  }
  std::vector<Index> all(names().size());
  std::iota(all.begin(), all.end(), Index{0});
  select(all);
}

std::vector<Index> TableReader::match(const std::vector<std::string>& wanted) const {
  return match_columns(name_, names(), has_header(), wanted);
}

void TableReader::select(const std::vector<Index>& columns, const std::vector<Index>& text) {
  std::vector<Cells> cells;
  for (const Index column : columns) {
    const bool listed = std::find(text.begin(), text.end(), column) != text.end();
    cells.push_back(listed ? Cells::text : Cells::numbers);
  }
  select(columns, cells);
}

void TableReader::select(const std::vector<Index>& columns, const std::vector<Cells>& cells) {
  require(!started_, "select", name_, "must come before the first block");
  std::vector<bool> seen(names().size());
  selection_ = {{}, cells};
  for (const Index column : columns) {
    require(column >= 0 && column < static_cast<Index>(seen.size()), "column", column,
            "must be a column of the file");
    require(!seen[column], "column", column, "must be selected only once");
    seen[column] = true;
    selection_.columns.push_back(column);
  }
}

bool TableReader::next(Table& block, Index max_rows) {
  require(max_rows >= 1, "max_rows", max_rows, "must be at least 1");
  while (waiting_ < max_rows && !ended_) {
    const std::size_t known = pieces_.size();
    ended_ = !source_->next(selection_, pieces_);
    for (std::size_t i = known; i < pieces_.size(); ++i) waiting_ += pieces_[i].rows;
  }
  if (waiting_ == 0 && !started_) {
    throw IoError(name_ + (has_header() ? ": has a header but no rows" : ": has no rows"));
  }
  started_ = true;
  if (waiting_ == 0) return false;
  copy_rows(block, std::min(waiting_, max_rows));
  return true;
}

void TableReader::copy_rows(Table& block, Index rows) {
  block.names.clear();
  for (const Index column : selection_.columns) block.names.push_back(names()[column]);
  block.values.resize(rows, selection_.size());
  block.labels.clear();
  block.words.clear();
  std::vector<std::vector<std::string>*> labels;
  for (Index j = 0; j < selection_.size(); ++j) {
    if (keeps_text(selection_.cells[j])) labels.push_back(&block.labels[j]);
    if (selection_.cells[j] == Cells::words) block.words[j];
  }

  std::map<Index, Levels> levels;
  std::vector<Part> parts;
  std::size_t finished = 0;
  for (Index done = 0; done < rows; done += parts.back().rows) {
    RowPiece& piece = pieces_[finished];
    const Index take = std::min(rows - done, piece.rows - first_);
    parts.push_back({&piece, first_, take, done});
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const auto from = piece.labels[k].begin() + first_;
      std::move(from, from + take, std::back_inserter(*labels[k]));
    }
    copy_words(piece, first_, take, done, block, levels);
    first_ += take;
    if (first_ < piece.rows) continue;
    first_ = 0;
    ++finished;
  }
  for (auto& [column, words] : block.words)
    words.category.codes.resize(static_cast<std::size_t>(rows), Category::kGap);
  for (auto& [column, found] : levels) block.words[column].category.levels = found.release();
  // Pieces are freed as they are copied: a large table is never in memory twice.
  parallel_for(static_cast<Index>(parts.size()), static_cast<double>(block.values.size()),
               [&](Index b) {
                 copy_values(parts[b], block.values);
                 if (b < static_cast<Index>(finished)) *parts[b].piece = {};
               });
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(finished));
  waiting_ -= rows;
}

void TableReader::copy_words(const RowPiece& piece, Index from, Index rows, Index to, Table& block,
                             std::map<Index, Levels>& levels) const {
  std::size_t slot = 0;
  for (Index j = 0; j < selection_.size(); ++j) {
    if (!keeps_words(selection_.cells[j])) continue;
    const PieceWords& words = piece.words[slot++];
    const auto by_row = [](const PieceWords::Cell& cell, Index row) { return cell.row < row; };
    auto cell = std::lower_bound(words.cells.begin(), words.cells.end(), from, by_row);
    const auto end = std::lower_bound(cell, words.cells.end(), from + rows, by_row);
    if (cell == end) continue;
    Words& all = block.words[j];
    if (all.first_line == 0) all.first_line = words.first_line;
    all.category.codes.resize(static_cast<std::size_t>(block.values.rows()), Category::kGap);
    Levels& known = levels[j];
    std::vector<std::int32_t> code(words.levels.size(), Category::kGap);
    for (; cell != end; ++cell) {
      std::int32_t& here = code[cell->level];
      if (here == Category::kGap) here = known.code(words.levels[cell->level]);
      all.category.codes[to + cell->row - from] = here;
    }
    if (known.size() > kMostLevels) {
      throw IoError(place(all.first_line, names()[selection_.columns[j]]) + ": more than " +
                    std::to_string(kMostLevels) +
                    " different words from here on; a name or a number of each row is not a "
                    "category: leave the column out");
    }
  }
}

std::string TableReader::place(Index line, const std::string& column) const {
  const auto found = std::find(names().begin(), names().end(), column);
  const FileDescription description{name_, "line", names()};
  return name_ + ": " + description.place(line, found - names().begin());
}

Table TableReader::read_all() {
  Table table;
  table.values.resize(0, selection_.size());
  next(table, std::numeric_limits<Index>::max());
  return table;
}

Table read_table(const std::string& path, const CsvFormat& format,
                 const std::vector<std::string>& text) {
  TableReader reader(path, format);
  std::vector<Index> columns(reader.names().size());
  std::iota(columns.begin(), columns.end(), Index{0});
  reader.select(columns, match_columns(path, reader.names(), true, text));
  return reader.read_all();
}

}  // namespace bkernn::tables
