#include "bkernn/columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

// The segment of `at` between these numbers.
std::size_t segment_of(const std::vector<double>& t, double at) {
  const auto after = std::upper_bound(t.begin() + 1, t.end() - 1, at);
  return static_cast<std::size_t>(after - t.begin()) - 1;
}

// The line through two points; constant beyond all of them.
double on_lines(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (!(at > x.front())) return y.front();
  if (!(at < x.back())) return y.back();
  const std::size_t k = segment_of(x, at);
  return y[k] + (at - x[k]) * ((y[k + 1] - y[k]) / (x[k + 1] - x[k]));
}

bool increases(const std::vector<double>& t) {
  return std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()) == t.end() &&
         std::all_of(t.begin(), t.end(), [](double one) { return std::isfinite(one); });
}

// Column by column, `part` being its coordinates, from numbers without gaps.
template <class Values, class Part>
void put_bent(const EncodedColumn& column, const Values& values, Part&& part) {
  if (column.curves.empty()) part.col(0) = values;
  for (std::size_t k = 0; k < column.curves.size(); ++k)
    part.col(static_cast<Index>(k)) = values.unaryExpr(std::cref(column.curves[k]));
}

}  // namespace

double Curve::operator()(double at) const {
  return bends() ? on_lines(x, values, at) : at;
}

double Curve::inverse(double value) const {
  return bends() ? on_lines(values, x, value) : value;
}

double EncodedColumn::straight(const double* coordinates) const {
  for (std::size_t k = 0; k < curves.size(); ++k) {
    if (!curves[k].bends()) return coordinates[k];
  }
  return curves.empty() ? coordinates[0] : curves[0].inverse(coordinates[0]);
}

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
  if (!category) return bends() + (gaps > 0 ? 1 : 0);
  const auto count = static_cast<Index>(shares.size()) + (other > 0 ? 1 : 0) + (gaps > 0 ? 1 : 0);
  return count == 2 ? 1 : std::max<Index>(count, 1);
}

RowVector EncodedColumn::means() const {
  RowVector found(coordinates());
  if (!category) {
    put_bent(*this, Vector::Constant(1, mean), found);
    if (gaps > 0) found(bends()) = gaps;
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
    for (Index k = 1; !column.category && k < column.coordinates(); ++k)
      begins.push_back(begins.back() + 1);
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
      put_bent(column, values.isNaN().select(column.mean, values).matrix().eval(), part);
      if (column.gaps > 0) part.col(column.bends()) = values.isNaN().cast<double>();
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

bool Encoder::bends() const {
  return std::any_of(columns.begin(), columns.end(),
                     [](const EncodedColumn& column) { return !column.curves.empty(); });
}

std::string Encoder::ranks() const {
  for (const EncodedColumn& column : columns) {
    for (const Curve& curve : column.curves) {
      if (curve.ranks != "none") return curve.ranks;
    }
  }
  return "none";
}

Matrix Encoder::bend(const MatrixView& encoded) const {
  Matrix X(encoded.rows(), coordinates());
  Index from = 0, to = 0;
  for (const EncodedColumn& column : columns) {
    const Index width = column.coordinates();
    const Index bent = column.category ? 0 : column.bends(), rest = width - bent;
    if (bent > 0) {
      put_bent(column, encoded.col(from), X.middleCols(to, bent));
      ++from;
    }
    X.middleCols(to + bent, rest) = encoded.middleCols(from, rest);
    from += rest;
    to += width;
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
      for (Index k = 0; k < column.bends(); ++k) {
        const bool several = column.bends() > 1;
        const std::string ranks = several ? column.curves[k].ranks : "none";
        all.push_back(ranks == "none" ? name : name + " " + ranks + " rank");
      }
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
    for (const Curve& curve : column.curves) {
      require(!column.category, "curves", curve.ranks, "a category has none");
      require(curve.x.size() == curve.values.size() && curve.x.size() != 1, "curves",
              curve.x.size(), "x and values must be as many, and two at least");
      require(increases(curve.x) && increases(curve.values), "curves", curve.ranks,
              "x and values must be finite and increase");
    }
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
