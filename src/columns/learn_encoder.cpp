#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fixed_point.hpp"
#include "bkernn/columns.hpp"
#include "columns/check_rows.hpp"

namespace bkernn {
namespace {

constexpr double kRareRows = 10, kRareShare = 0.02;  // fewer than the smaller of the two is rare
constexpr std::size_t kMostNamed = 200;

struct Weighted {
  double value, weight;
};

// The same for any order of the rows, and for a weight of two and two rows.
double sum_of(std::vector<Weighted> values) {
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) {
    return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
  });
  double sum = 0;
  for (std::size_t i = 0; i < values.size();) {
    double weight = 0;
    const double value = values[i].value;
    for (; i < values.size() && values[i].value == value; ++i) weight += values[i].weight;
    sum += weight * value;
  }
  return sum;
}

double total_of(std::vector<double> weights) {
  std::sort(weights.begin(), weights.end());
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

ColumnCounts count_number(const MixedRows& rows, Index a, const Vector* weights) {
  ColumnCounts counts;
  std::vector<Weighted> values;
  std::vector<double> present, missing;
  for (Index i = 0; i < rows.values.rows(); ++i) {
    const double x = rows.values(i, a), weight = weights == nullptr ? 1 : (*weights)(i);
    counts.holes = counts.holes || std::isnan(x);
    if (weight == 0) continue;
    (std::isnan(x) ? missing : present).push_back(weight);
    if (std::isnan(x)) continue;
    values.push_back({x, weight});
    counts.largest = std::max(counts.largest, std::abs(x));
  }
  counts.sum = sum_of(std::move(values));
  counts.present = total_of(std::move(present));
  counts.gaps = total_of(std::move(missing));
  return counts;
}

ColumnCounts count_category(const Category& category, const Vector* weights) {
  std::vector<std::vector<double>> by_level(category.levels.size() + 1);  // the last: gaps
  for (std::size_t i = 0; i < category.codes.size(); ++i) {
    const std::int32_t code = category.codes[i];
    const double weight = weights == nullptr ? 1 : (*weights)(static_cast<Index>(i));
    if (weight > 0) (code < 0 ? by_level.back() : by_level[code]).push_back(weight);
  }
  ColumnCounts counts;
  counts.category = true;
  counts.gaps = total_of(std::move(by_level.back()));
  for (std::size_t k = 0; k < category.levels.size(); ++k) {
    const double weight = total_of(std::move(by_level[k]));
    if (weight > 0) counts.levels[category.levels[k]] += weight;
  }
  return counts;
}

// A column that is empty in one place may be of either kind.
void add(ColumnCounts& to, const ColumnCounts& more, Index column,
         const std::vector<std::string>& names) {
  const auto is_number = [](const ColumnCounts& c) { return !c.category && c.present > 0; };
  const bool category = to.category || more.category;
  require_column(!category || (!is_number(to) && !is_number(more)), column, names, "words",
                 "in other places there are numbers");
  to.category = category;
  to.sum += more.sum;
  to.present += more.present;
  to.largest = std::max(to.largest, more.largest);
  to.gaps += more.gaps;
  to.holes = to.holes || more.holes;
  for (const auto& [level, weight] : more.levels) to.levels[level] += weight;
}

// To 32 bits of the largest number, so that the order in which places were added does not show.
EncodedColumn number_of(const ColumnCounts& counts) {
  EncodedColumn column;
  if (counts.present > 0) {
    column.mean = counts.sum / counts.present;
    if (counts.largest > 0)
      column.mean =
          FixedPoint(std::ldexp(1.0, std::ilogb(counts.largest) - 32)).rounded(column.mean);
  }
  if (counts.gaps > 0) column.gaps = counts.gaps / (counts.gaps + counts.present);
  return column;
}

EncodedColumn category_of(const ColumnCounts& counts) {
  double total = counts.gaps;
  std::vector<double> heaviest;
  for (const auto& [level, weight] : counts.levels) {
    heaviest.push_back(weight);
    total += weight;
  }
  const double rare = std::min(kRareRows, kRareShare * total);
  std::sort(heaviest.begin(), heaviest.end(), std::greater<>());
  const double least = heaviest.size() > kMostNamed
                           ? std::max(rare, std::nextafter(heaviest[kMostNamed], INFINITY))
                           : rare;
  EncodedColumn column;
  column.category = true;
  double other = 0;
  for (const auto& [level, weight] : counts.levels) {
    if (weight < least) {
      other += weight;
    } else {
      column.levels.push_back(level);
      column.shares.push_back(weight / total);
    }
  }
  if (counts.gaps >= rare) {
    column.gaps = total > 0 ? counts.gaps / total : 0;
  } else {
    other += counts.gaps;
  }
  if (other >= rare && total > 0) column.other = other / total;
  return column;
}

}  // namespace

std::vector<ColumnCounts> count_columns(const MixedRows& rows, const Vector* weights,
                                        const std::vector<std::string>& names) {
  check_rows(rows, rows.values.cols(), names);
  require(weights == nullptr || weights->size() == rows.values.rows(), "weights",
          weights == nullptr ? 0 : weights->size(), "must be one per row");
  std::vector<ColumnCounts> found;
  for (Index a = 0; a < rows.values.cols(); ++a) {
    const auto words = rows.categories.find(a);
    found.push_back(words == rows.categories.end() ? count_number(rows, a, weights)
                                                   : count_category(words->second, weights));
  }
  return found;
}

Encoder learn_encoder(const std::vector<std::vector<ColumnCounts>>& places,
                      const std::vector<std::string>& names) {
  require(!places.empty(), "places", places.size(), "there must be one at least");
  std::vector<ColumnCounts> all = places.front();
  for (std::size_t k = 1; k < places.size(); ++k) {
    require(places[k].size() == all.size(), "X", std::to_string(places[k].size()) + " columns",
            "must have " + std::to_string(all.size()));
    for (std::size_t a = 0; a < all.size(); ++a)
      add(all[a], places[k][a], static_cast<Index>(a), names);
  }
  Encoder encoder;
  bool plain = true;
  for (std::size_t a = 0; a < all.size(); ++a) {
    check_level_count(all[a].levels.size(), static_cast<Index>(a), names);
    encoder.columns.push_back(all[a].category ? category_of(all[a]) : number_of(all[a]));
    plain = plain && !all[a].category && !all[a].holes;
  }
  if (plain) encoder.columns.clear();
  return encoder;
}

Encoder learn_encoder(const MixedRows& rows, const Vector* weights,
                      const std::vector<std::string>& names) {
  return learn_encoder({count_columns(rows, weights, names)}, names);
}

}  // namespace bkernn
