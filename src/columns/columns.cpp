#include "bkernn/columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/utf8.hpp"
#include "bkernn/error.hpp"
#include "columns/level_finder.hpp"

namespace bkernn {
namespace {

constexpr double kRareRows = 10, kRareShare = 0.02;  // fewer than the smaller of the two is rare
constexpr std::size_t kMostNamed = 200;
constexpr std::size_t kMostLevels = 100'000;
constexpr std::size_t kLongestLevel = std::size_t{1} << 20;
constexpr double kShareRounding = 1e-6;

std::string column_name(Index column, const std::vector<std::string>& names) {
  return column < static_cast<Index>(names.size())
             ? "column \"" + names[static_cast<std::size_t>(column)] + "\""
             : "column " + std::to_string(column + 1);
}

template <class Value>
void require_column(bool holds, Index column, const std::vector<std::string>& names,
                    const Value& value, const std::string& constraint) {
  if (!holds) require(false, column_name(column, names).c_str(), value, constraint);
}

void check_category(const Category& category, Index rows, Index column,
                    const std::vector<std::string>& names) {
  const std::size_t count = category.levels.size();
  require_column(static_cast<Index>(category.codes.size()) == rows, column, names,
                 category.codes.size(), "codes must be one per row, " + std::to_string(rows));
  require_column(count <= kMostLevels, column, names, std::to_string(count) + " levels",
                 "a category has at most " + std::to_string(kMostLevels) +
                     "; a name or a number of each row is not one: leave the column out");
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

// The rows must have as many columns as `expected`, and each category must be one of them.
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

struct Weighted {
  double value, weight;
};

// The same for any order of the rows, and for a weight of two and two rows.
double mean_of(std::vector<Weighted> values) {
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) {
    return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
  });
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size();) {
    double weight = 0;
    const double value = values[i].value;
    for (; i < values.size() && values[i].value == value; ++i) weight += values[i].weight;
    sum += weight * value;
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

double total_of(std::vector<double> weights) {
  std::sort(weights.begin(), weights.end());
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

EncodedColumn learn_number(const MixedRows& rows, Index a, const Vector* weights) {
  std::vector<Weighted> values;
  std::vector<double> present, missing;
  for (Index i = 0; i < rows.values.rows(); ++i) {
    const double x = rows.values(i, a), weight = weights == nullptr ? 1 : (*weights)(i);
    if (weight == 0) continue;
    (std::isnan(x) ? missing : present).push_back(weight);
    if (!std::isnan(x)) values.push_back({x, weight});
  }
  EncodedColumn column;
  column.mean = mean_of(std::move(values));
  const double gaps = total_of(std::move(missing));
  if (gaps > 0) column.gaps = gaps / (gaps + total_of(std::move(present)));
  return column;
}

struct Found {
  std::string level;
  double weight;
};

EncodedColumn learn_category(const Category& category, const Vector* weights) {
  std::vector<std::vector<double>> by_level(category.levels.size() + 1);  // the last: gaps
  for (std::size_t i = 0; i < category.codes.size(); ++i) {
    const std::int32_t code = category.codes[i];
    const double weight = weights == nullptr ? 1 : (*weights)(static_cast<Index>(i));
    if (weight > 0) (code < 0 ? by_level.back() : by_level[code]).push_back(weight);
  }
  const double gaps = total_of(std::move(by_level.back()));
  std::map<std::string, double> total_of_level;
  for (std::size_t k = 0; k < category.levels.size(); ++k)
    total_of_level[category.levels[k]] += total_of(std::move(by_level[k]));
  std::vector<Found> levels;
  double total = gaps;
  for (const auto& [level, weight] : total_of_level) {
    if (weight > 0) levels.push_back({level, weight});
    total += weight;
  }
  const double rare = std::min(kRareRows, kRareShare * total);
  std::vector<double> heaviest;
  for (const Found& one : levels) heaviest.push_back(one.weight);
  std::sort(heaviest.begin(), heaviest.end(), std::greater<>());
  const double least = heaviest.size() > kMostNamed
                           ? std::max(rare, std::nextafter(heaviest[kMostNamed], INFINITY))
                           : rare;
  EncodedColumn column;
  column.category = true;
  double other = 0;
  for (const Found& one : levels) {
    if (one.weight < least) {
      other += one.weight;
    } else {
      column.levels.push_back(one.level);
      column.shares.push_back(one.weight / total);
    }
  }
  if (gaps >= rare) {
    column.gaps = total > 0 ? gaps / total : 0;
  } else {
    other += gaps;
  }
  if (other >= rare && total > 0) column.other = other / total;
  return column;
}

// Which outcome of a column each of these levels is; kAverage: none.
constexpr Index kAverage = -1;

struct Outcomes {
  std::vector<Index> of_level;
  Index of_gap;
};

Outcomes outcomes_of(const EncodedColumn& column, const Category& category) {
  const auto named = static_cast<Index>(column.levels.size());
  const Index unseen = column.other > 0 ? named : kAverage;
  const LevelFinder finder(column.levels);
  Outcomes found{{}, column.gaps > 0 ? named + (column.other > 0 ? 1 : 0) : unseen};
  found.of_level.reserve(category.levels.size());
  for (const std::string& level : category.levels) {
    const Index place = finder.find(level);
    found.of_level.push_back(place >= 0 ? place : unseen);
  }
  return found;
}

}  // namespace

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
  for (const EncodedColumn& column : columns)
    begins.push_back(begins.back() + column.coordinates());
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
    const Outcomes outcomes = outcomes_of(column, category);
    for (Index i = 0; i < n; ++i) {
      const std::int32_t code = category.codes[static_cast<std::size_t>(i)];
      const Index outcome = code < 0 ? outcomes.of_gap : outcomes.of_level[code];
      if (outcome == kAverage) {
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
      all.push_back(k < named ? name + "=" + outcome
                              : name + " " + outcome.substr(1, outcome.size() - 2));
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

Encoder learn_encoder(const MixedRows& rows, const Vector* weights,
                      const std::vector<std::string>& names) {
  check_rows(rows, rows.values.cols(), names);
  require(weights == nullptr || weights->size() == rows.values.rows(), "weights",
          weights == nullptr ? 0 : weights->size(), "must be one per row");
  Encoder encoder;
  bool plain = true;
  for (Index a = 0; a < rows.values.cols(); ++a) {
    const auto words = rows.categories.find(a);
    encoder.columns.push_back(words == rows.categories.end()
                                  ? learn_number(rows, a, weights)
                                  : learn_category(words->second, weights));
    plain = plain && !encoder.columns.back().category && encoder.columns.back().gaps == 0;
  }
  // A gap in a row of weight 0 must be filled too.
  if (plain && !rows.values.hasNaN()) encoder.columns.clear();
  return encoder;
}

}  // namespace bkernn
