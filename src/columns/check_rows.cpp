#include "columns/check_rows.hpp"

#include <cmath>

#include "base/level_limits.hpp"
#include "base/utf8.hpp"

namespace bkernn {
namespace {

void check_category(const Category& category, Index rows, Index column,
                    const std::vector<std::string>& names) {
  const std::size_t count = category.levels.size();
  require_column(static_cast<Index>(category.codes.size()) == rows, column, names,
                 category.codes.size(), "codes must be one per row, " + std::to_string(rows));
  check_level_count(count, column, names);
  for (const std::string& level : category.levels) {
    require_column(level.size() <= kLongestLevel, column, names,
                   std::to_string(level.size()) + " bytes",
                   "a level is at most a megabyte long; leave a column of texts out");
    require_column(is_utf8(level), column, names, "\"" + level.substr(0, 40) + "\"",
                   "levels must be UTF-8 text");
  }
  for (const std::int32_t code : category.codes) {
    require_column(code >= Category::kGap && code < static_cast<std::int32_t>(count), column, names,
                   code, "codes must be positions of levels, or -1");
  }
}

}  // namespace

std::string column_name(Index column, const std::vector<std::string>& names) {
  return column < static_cast<Index>(names.size())
             ? "column \"" + names[static_cast<std::size_t>(column)] + "\""
             : "column " + std::to_string(column + 1);
}

void check_level_count(std::size_t count, Index column, const std::vector<std::string>& names) {
  require_column(count <= kMostLevels, column, names, std::to_string(count) + " levels",
                 "a category has at most " + std::to_string(kMostLevels) +
                     "; a name or a number of each row is not one: leave the column out");
}

void check_rows(const MixedRows& rows, Index expected, const std::vector<std::string>& names) {
  require(rows.values.cols() == expected, "X", std::to_string(rows.values.cols()) + " columns",
          "must have " + std::to_string(expected));
  for (const auto& [column, category] : rows.categories) {
    require(column >= 0 && column < expected, "categories", column, "must be a column of X");
    check_category(category, rows.values.rows(), column, names);
  }
  for (Index a = 0; a < expected; ++a) {
    if (rows.categories.contains(a)) continue;
    for (const double x : rows.values.col(a))
      require_column(!std::isinf(x), a, names, x, "must be finite, or NaN for a gap");
  }
}

}  // namespace bkernn
