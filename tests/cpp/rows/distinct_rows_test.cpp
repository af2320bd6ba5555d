// Equal rows become one, in an order that does not depend on how often and where they stand.
#include "bkernn/distinct_rows.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace bkernn {
namespace {

using Rows = std::vector<Index>;

struct Table {
  Matrix X{{2, 1}, {1, 5}, {2, 0}, {1, 5}, {2, 1}, {1, 5}};
  Matrix Y{{0}, {3}, {0}, {3}, {0}, {2}};
  Vector w{{1, 2, 0, 1, 0.5, 1}};
  FitInput input() const { return {.X = X, .Y = Y}; }
  FitInput weighted() const { return {.X = X, .Y = Y, .weights = &w}; }
};

TEST(DistinctRows, StandInTheOrderOfTheirValues) {
  const Table table;
  const DistinctRows found = distinct_rows(table.input(), {});
  EXPECT_EQ(found.rows, (Rows{5, 1, 2, 0}));
  EXPECT_EQ(found.weights, (Vector{{1, 2, 1, 2}}));
  EXPECT_EQ(found.place, (Rows{3, 1, 2, 1, 3, 0}));
}

TEST(DistinctRows, AddUpWeightsAndLeaveOutRowsOfWeightZero) {
  const Table table;
  const DistinctRows found = distinct_rows(table.weighted(), {});
  EXPECT_EQ(found.rows, (Rows{5, 1, 0}));
  EXPECT_EQ(found.weights, (Vector{{1, 3, 1.5}}));
  EXPECT_EQ(found.place, (Rows{2, 1, -1, 1, 2, 0}));
}

TEST(DistinctRows, ShareAlphaByWeight) {
  const Table table;
  const DistinctRows found = distinct_rows(table.weighted(), {});
  const Matrix alpha{{6, 1}, {9, 3}, {-3, 0}};
  const Matrix want{{-2, 0}, {6, 2}, {0, 0}, {3, 1}, {-1, 0}, {6, 1}};
  EXPECT_LE((found.share_out(alpha, &table.w) - want).norm(), 1e-14);
}

// All different, and no weights but 1 and 0: as they stand.
TEST(DistinctRows, HaveAnOrderOfTheirOwnWhereNothingIsMerged) {
  Table table;
  table.Y = Matrix{{0}, {3}, {0}, {4}, {7}, {2}};
  EXPECT_EQ(distinct_rows(table.input(), {}).size(), 6);
  table.w = Vector{{1, 1, 0, 1, 1, 1}};
  const DistinctRows some = distinct_rows(table.weighted(), {});
  EXPECT_EQ(some.rows, (Rows{5, 1, 3, 0, 4}));
  EXPECT_EQ(some.weights.size(), 0);
  EXPECT_EQ(some.place, (Rows{3, 1, -1, 2, 4, 0}));
  table.w(0) = 2;
  EXPECT_EQ(distinct_rows(table.weighted(), {}).rows, (Rows{5, 1, 3, 0, 4}));
}

TEST(DistinctRows, AreNotMergedOnKnots) {
  const Table table;
  FitOptions options = by_rule();
  options.knots = 8;
  const DistinctRows found = distinct_rows(table.weighted(), options);
  EXPECT_EQ(found.rows, (Rows{0, 1, 3, 4, 5}));
  EXPECT_EQ(found.weights, (Vector{{1, 2, 1, 0.5, 1}}));
}

TEST(DistinctRows, AreNotMergedAcrossLabels) {
  const Table table;
  const DistinctRows found = distinct_rows(table.input(), {}, {0, 1, 0, 0, 0, 0});
  EXPECT_EQ(found.rows, (Rows{5, 3, 1, 2, 0}));
  EXPECT_EQ(found.weights, (Vector{{1, 1, 1, 1, 2}}));
}

TEST(DistinctRows, ClassesStandInTheirOrder) {
  const Matrix X{{1}, {1}, {1}, {1}};
  const Matrix Y{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  FitOptions options = by_rule();
  options.loss = "multinomial";
  EXPECT_EQ(distinct_rows({.X = X, .Y = Y}, options).rows, (Rows{2, 1, 0}));
}

// A fit needs two rows.
TEST(DistinctRows, AllEqualOnesStayAsTheyAre) {
  const Matrix X = Matrix::Ones(3, 2), Y = Matrix::Ones(3, 1);
  EXPECT_EQ(distinct_rows({.X = X, .Y = Y}, {}).rows, (Rows{0, 1, 2}));
}

TEST(DistinctRows, ZerosAreEqualWhateverTheirSign) {
  const Matrix X{{0.0}, {-0.0}, {1.0}}, Y = Matrix::Zero(3, 1);
  EXPECT_EQ(distinct_rows({.X = X, .Y = Y}, {}).rows, (Rows{0, 2}));
}

TEST(DistinctRows, NegligibleWeightsAreDropped) {
  Table table;
  table.w = Vector{{1e-15, 1, 2, 1, 1e-15, 1e-14}};
  const DistinctRows found = distinct_rows(table.weighted(), {});
  EXPECT_EQ(found.rows, (Rows{1, 2}));
  EXPECT_EQ(found.weights, (Vector{{2, 2}}));
  EXPECT_EQ(found.place, (Rows{-1, 0, 1, 0, -1, -1}));
}

// They are judged by the weights as given: merging must not make a row negligible.
TEST(DistinctRows, NegligibleIsSaidOfTheGivenWeights) {
  const Matrix X{{0.0}, {0.0}, {1.0}}, Y{{0.0}, {0.0}, {1.0}};
  const Vector w{{1, 1, 1.5e-14}}, tiny{{1, 1, 1e-20}};
  EXPECT_EQ(distinct_rows({.X = X, .Y = Y, .weights = &w}, {}).rows, (Rows{0, 2}));
  EXPECT_EQ(distinct_rows({.X = X, .Y = Y, .weights = &tiny}, {}).rows, (Rows{0, 1}));
}

// Many columns with few values each, against pairwise comparison.
TEST(DistinctRows, AgreeWithPairwiseComparison) {
  Rng rng(2);
  Matrix X(200, 6), Y(200, 1);
  for (Index i = 0; i < 200; ++i) {
    for (Index a = 0; a < 6; ++a) X(i, a) = static_cast<double>(rng.index(2));
    Y(i, 0) = static_cast<double>(rng.index(2));
  }
  const DistinctRows found = distinct_rows({.X = X, .Y = Y}, {});
  for (Index i = 0; i < 200; ++i) {
    for (Index k = 0; k < 200; ++k) {
      const bool equal = X.row(i) == X.row(k) && Y.row(i) == Y.row(k);
      EXPECT_EQ(found.place[i] == found.place[k], equal);
    }
    EXPECT_LE(found.rows[found.place[i]], i);
  }
  EXPECT_EQ(found.weights.sum(), 200);
}

}  // namespace
}  // namespace bkernn
