#include "bkernn/columns.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "bkernn/error.hpp"
#include "columns/check_rows.hpp"
#include "columns/level_finder.hpp"

namespace bkernn {
namespace {

constexpr double kShareRounding = 1e-6;

// Which outcome of a column each of these levels is.
std::vector<Index> outcomes_of(const EncodedColumn& column, const Category& category) {
  const LevelFinder finder(column.levels);
  std::vector<Index> found;
  found.reserve(category.levels.size());
  for (const std::string& level : category.levels) {
    const Index place = finder.find(level);
    found.push_back(place >= 0 ? place : column.unseen_outcome());
  }
  return found;
}

}  // namespace

Index EncodedColumn::unseen_outcome() const {
  return other > 0 ? static_cast<Index>(levels.size()) : kAverage;
}

Index EncodedColumn::gap_outcome() const {
  return gaps > 0 ? static_cast<Index>(levels.size()) + (other > 0 ? 1 : 0) : unseen_outcome();
}

Vector EncodedColumn::outcomes() const {
  const auto named = static_cast<Index>(shares.size());
  Vector all(named + (other > 0) + (gaps > 0));
  std::copy(shares.begin(), shares.end(), all.begin());
  if (other > 0) all(named) = other;
  if (gaps > 0) all(all.size() - 1) = gaps;
  return all;
}

Index EncodedColumn::coordinates() const {
  if (!category) return gaps > 0 ? 2 : 1;
  const auto count = static_cast<Index>(shares.size()) + (other > 0 ? 1 : 0) + (gaps > 0 ? 1 : 0);
  return count == 2 ? 1 : std::max<Index>(count, 1);
}

RowVector EncodedColumn::means() const {
  RowVector found(coordinates());
  if (!category) {
    found(0) = mean;
    if (gaps > 0) found(1) = gaps;
    return found;
  }
  const Vector p = outcomes();
  if (p.size() == 2) {
    found(0) = p(1) - p(0);
  } else if (p.size() == 0) {
    found(0) = 0;
  } else {
    found = p.transpose();
  }
  return found;
}

Index Encoder::coordinates() const {
  Index count = 0;
  for (const EncodedColumn& column : columns) count += column.coordinates();
  return count;
}

std::vector<Index> Encoder::groups() const {
  std::vector<Index> begins = {0};
  Index end = 0;
  for (const EncodedColumn& column : columns) begins.push_back(end += column.coordinates());
  return begins;
}

std::vector<Index> Encoder::blocks() const {
  std::vector<Index> begins = {0};
  for (const EncodedColumn& column : columns) {
    if (!column.category && column.gaps > 0) begins.push_back(begins.back() + 1);
    begins.push_back(begins.back() + (column.category ? column.coordinates() : 1));
  }
  return begins;
}

Matrix Encoder::outcome_rows(Index column) const {
  const EncodedColumn& one = columns[static_cast<std::size_t>(column)];
  const Index count = one.outcomes().size();
  if (count == 2) return Vector{{-1.0, 1.0}};
  return Matrix::Identity(count, one.coordinates());
}

Matrix Encoder::encode(const MixedRows& rows, const std::vector<std::string>& names) const {
  check_rows(rows, size(), names);
  const Index n = rows.values.rows();
  Matrix X(n, coordinates());
  Index at = 0;
  for (Index a = 0; a < size(); ++a) {
    const EncodedColumn& column = columns[static_cast<std::size_t>(a)];
    const auto found = rows.categories.find(a);
    const bool words = found != rows.categories.end();
    require_column(words == column.category, a, names, words ? "words" : "numbers",
                   column.category ? "training had words there" : "training had numbers there");
    const Index width = column.coordinates();
    auto part = X.middleCols(at, width);
    at += width;
    if (!column.category) {
      const auto values = rows.values.col(a).array();
      part.col(0) = values.isNaN().select(column.mean, values);
      if (column.gaps > 0) part.col(1) = values.isNaN().cast<double>();
      continue;
    }
    const Matrix rows_of = outcome_rows(a);
    const RowVector average = column.means();
    const Category& category = found->second;
    const std::vector<Index> of_level = outcomes_of(column, category);
    const Index of_gap = column.gap_outcome();
    for (Index i = 0; i < n; ++i) {
      const std::int32_t code = category.codes[static_cast<std::size_t>(i)];
      const Index outcome = code < 0 ? of_gap : of_level[code];
      if (outcome == EncodedColumn::kAverage) {
        part.row(i) = average;
      } else {
        part.row(i) = rows_of.row(outcome);
      }
    }
  }
  return X;
}

std::vector<std::string> Encoder::outcome_names(Index column) const {
  const EncodedColumn& one = columns[static_cast<std::size_t>(column)];
  std::vector<std::string> names = one.levels;
  if (one.other > 0) names.emplace_back("(other)");
  if (one.gaps > 0) names.emplace_back("(missing)");
  return names;
}

std::vector<std::string> Encoder::coordinate_names(const std::vector<std::string>& names) const {
  if (empty()) return names;
  std::vector<std::string> all;
  for (Index a = 0; a < size(); ++a) {
    const EncodedColumn& column = columns[static_cast<std::size_t>(a)];
    const std::string& name = names[static_cast<std::size_t>(a)];
    if (!column.category) {
      all.push_back(name);
      if (column.gaps > 0) all.push_back(name + " missing");
      continue;
    }
    const std::vector<std::string> outcomes = outcome_names(a);
    const std::size_t named = column.levels.size();
    const auto add = [&](std::size_t k) {
      const std::string& outcome = outcomes[k];
      all.push_back(name);
      all.back() += k < named ? "=" + outcome : " " + outcome.substr(1, outcome.size() - 2);
    };
    if (outcomes.empty()) all.push_back(name);
    if (outcomes.size() == 2) {
      add(1);
    } else {
      for (std::size_t k = 0; k < outcomes.size(); ++k) add(k);
    }
  }
  return all;
}

void Encoder::validate() const {
  for (const EncodedColumn& column : columns) {
    const auto is_share = [](double p) { return p >= 0 && p <= 1; };
    require(std::isfinite(column.mean), "mean", column.mean, "must be finite");
    require(is_share(column.gaps), "gaps", column.gaps, "must lie between 0 and 1");
    require(is_share(column.other), "other", column.other, "must lie between 0 and 1");
    require(column.shares.size() == column.levels.size(), "shares", column.shares.size(),
            "must be one per level");
    require(column.category || (column.levels.empty() && column.other == 0), "levels",
            column.levels.size(), "a number has none");
    for (const double p : column.shares)
      require(is_share(p) && p > 0, "shares", p, "must be positive, and at most 1");
    const auto unordered =
        std::adjacent_find(column.levels.begin(), column.levels.end(), std::greater_equal<>());
    require(unordered == column.levels.end(), "levels",
            unordered == column.levels.end() ? "" : *unordered,
            "must be distinct and in alphabetical order");
    require(!column.category || column.outcomes().sum() <= 1 + kShareRounding, "shares",
            column.category ? column.outcomes().sum() : 0, "must not add up to more than 1");
  }
}

}  // namespace bkernn
