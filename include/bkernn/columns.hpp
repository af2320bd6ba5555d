// Tables as people have them, with words and gaps, and the numbers that a fit makes of them.
//
// A column of a table is of one kind, number or category. It becomes one or more coordinates, which
// are what X of a fit consists of:
//
//   number                       x
//   number, gaps in training     x, and 1 where x is missing, else 0
//   number, bent (below)         g(x) in place of x; for the mean of several fits more than one
//   category, two levels         −1 for the first, +1 for the second
//   category, K levels           one-hot: K coordinates, of which one is 1
//
// Levels are in alphabetical order, whatever the order in which they came; one coordinate for each,
// so that a direction has a weight for each level: every particle learns its own number for it.
// That holds for hundreds of levels too, and no y is looked at, so that nothing of y leaks from one
// row to another.
//
// Gaps. A missing number counts as the mean of the others. A missing category is a level of its
// own, after the others.
//
// Rare levels. Those with fewer than r = min(10, n/50) rows are pooled in one, `other`, and so are
// those beyond the 200 most frequent ones. If even `other` has fewer than r rows, it is none.
//
// Unseen levels, and gaps in a category that had none, count as `other`. Where that is none, they
// count as the average row: each coordinate is its mean.
//
// Bent numbers. A fit may take a number by its rank among the rows in place of its value
// (FitOptions::ranks): then g grows with the share u of the rows below x,
//
//   uniform   g = u                 normal   g = Φ⁻¹(u)
//
// so that long tails and gaps between values are no longer longer than the rest. g is piecewise
// linear between at most 64 quantiles of the rows, and constant beyond the first and the last.
//
// Groups. The coordinates of a column belong together: the variable penalties keep or drop a column
// as a whole (penalty.hpp). Blocks. The K coordinates of a category have one scale, the root of the
// sum of their variances, so that rare levels are not blown up; other coordinates have their own.
//
//   const Categories words = {{2, {.codes = {0, 1, 0}, .levels = {"red", "green"}}}};
//   const Encoder encoder = learn_encoder({X, words});
//   const Matrix encoded = encoder.encode({X, words});
//   const FitResult result = fit({.X = encoded, .Y = Y, .encoder = &encoder});
//   result.model.predict(MixedRows{X_new, words_new});
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

// Words of one column, each written once.
struct Category {
  static constexpr std::int32_t kGap = -1;

  std::vector<std::int32_t> codes;  // n: positions in `levels`, or kGap
  std::vector<std::string> levels;  // distinct; in any order, and not all need occur
};

using Categories = std::map<Index, Category>;  // by the number of the column

// Rows of a table: numbers, NaN where one is missing, and the columns that are categories, whose
// numbers are not looked at. A level is found by its name; if it is not there, numbers and truth
// values are compared however they are written: 1, 1.0 and 01, true and TRUE.
struct MixedRows {
  MixedRows(const MatrixView& numbers, const Categories& words)
      : values(numbers), categories(words) {}

  MatrixView values;  // n×c
  const Categories& categories;
};

// How a number is bent. Without knots not at all: g(x) = x.
struct Curve {
  std::string ranks = "none";     // none | uniform | normal
  std::vector<double> x, values;  // increasing both

  bool bends() const { return !x.empty(); }
  double operator()(double at) const;

  // The x of a value; of values beyond the ends the end.
  double inverse(double value) const;

  bool operator==(const Curve&) const = default;
};

// What was learned of one column. Shares are of the rows, by weight.
struct EncodedColumn {
  bool category = false;
  double mean = 0;                  // number: of the values that are there; 0 if there are none
  std::vector<Curve> curves = {};   // number: one coordinate for each; empty: one, x itself
  double gaps = 0;                  // share of the gaps; 0: no coordinate for them
  std::vector<std::string> levels;  // category: in alphabetical order
  std::vector<double> shares;       // one for each level
  double other = 0;                 // share of `other`; 0: there is none

  Index coordinates() const;

  // The shares of a category: of its levels, of `other` and of the gaps, if there are any.
  Vector outcomes() const;

  // Of a number: how many coordinates are its values, and the value x that they stand for.
  Index bends() const { return std::max<Index>(1, static_cast<Index>(curves.size())); }
  double straight(const double* coordinates) const;

  // Which of these a level that is not known is, and a gap; kAverage: none, but the average row.
  static constexpr Index kAverage = -1;
  Index unseen_outcome() const;
  Index gap_outcome() const;

  // The mean of each coordinate; of numbers the coordinates of the mean.
  RowVector means() const;

  bool operator==(const EncodedColumn&) const = default;
};

// What was learned of a table. Empty: all columns are numbers without gaps, X as it is.
struct Encoder {
  std::vector<EncodedColumn> columns;

  bool empty() const { return columns.empty(); }
  Index size() const { return static_cast<Index>(columns.size()); }
  Index coordinates() const;

  // The groups: where the coordinates of each column begin, and their number at the end.
  std::vector<Index> groups() const;

  // The blocks, in the same way: coordinates that have one scale.
  std::vector<Index> blocks() const;

  // n × coordinates, finite. Throws InvalidArgument for another number of columns, a number where
  // training had words (or the reverse) and infinite numbers, naming the column by `names`.
  Matrix encode(const MixedRows& rows, const std::vector<std::string>& names = {}) const;

  // Whether any number is bent, and by which ranks (of several the first; "none" if not).
  bool bends() const;
  std::string ranks() const;

  // The coordinates of rows that an encoder like this one, but without curves, has encoded.
  Matrix bend(const MatrixView& encoded) const;

  // "age", "age missing", "color=red", "color other", "color missing".
  std::vector<std::string> coordinate_names(const std::vector<std::string>& names) const;

  // Of a category: "red", …, "(other)", "(missing)".
  std::vector<std::string> outcome_names(Index column) const;

  // The rows of a category for each of its outcomes, outcomes × coordinates of the column.
  Matrix outcome_rows(Index column) const;

  // Throws InvalidArgument if it could not have been learned.
  void validate() const;

  bool operator==(const Encoder&) const = default;
};

// What the rows of one place say of a column: sums over them, by weight.
struct ColumnCounts {
  bool category = false;
  double gaps = 0;
  std::map<std::string, double> levels = {};  // category: those of positive weight
  double sum = 0, present = 0;                // number: of the values that are there
  double largest = 0;                         // of their sizes
  bool holes = false;                         // whether one is missing, be it of weight 0
};

// Weights count rows, as in a fit; null: all 1. Throws InvalidArgument for rows that do not fit
// together, infinite numbers, words that are not UTF-8 or longer than a megabyte, and columns of
// more than 100,000 levels, naming the column.
std::vector<ColumnCounts> count_columns(const MixedRows& rows, const Vector* weights = nullptr,
                                        const std::vector<std::string>& names = {});

// Of rows in several places. A column that is empty in one of them is what it is in the others.
// Empty if every column is a number without gaps. Throws InvalidArgument for columns that have
// words in one place and numbers in another, and for more than 100,000 levels.
Encoder learn_encoder(const std::vector<std::vector<ColumnCounts>>& places,
                      const std::vector<std::string>& names = {});

// Of rows in one place.
Encoder learn_encoder(const MixedRows& rows, const Vector* weights = nullptr,
                      const std::vector<std::string>& names = {});

}  // namespace bkernn
