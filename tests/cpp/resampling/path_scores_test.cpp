#include "resampling/path_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bkernn {
namespace {

const Scorer kLoss{}, kGain{.score = {}, .higher_is_better = true};

PathScores path_of(const std::vector<std::pair<double, RowVector>>& points, const Scorer& scorer) {
  PathScores path;
  for (const auto& [lambda, scores] : points) set_point(path, lambda, {scores, 7}, scorer);
  return path;
}

TEST(PathScores, PointsStandWhereTheirLambdaBelongs) {
  const PathScores path = path_of({{1, RowVector{{2, 4}}},
                                   {4, RowVector{{5, 9}}},
                                   {2, RowVector{{1, 3}}},
                                   {0.5, RowVector{{6, 6}}}},
                                  kLoss);
  EXPECT_EQ(path.lambdas, Vector({{4, 2, 1, 0.5}}));
  EXPECT_EQ(path.mean, Vector({{7, 2, 3, 6}}));
  EXPECT_EQ(path.scores.row(1), RowVector({{1, 3}}));
  EXPECT_EQ(path.scores.row(3), RowVector({{6, 6}}));
  EXPECT_EQ(path.standard_error, Vector({{2, 1, 1, 0}}));
  EXPECT_EQ(path.active, Vector::Constant(4, 7));
  EXPECT_EQ(path.best, 1);
  EXPECT_EQ(path.one_standard_error, 1);
  EXPECT_EQ(path_of({{1, RowVector{{2, 4}}}, {4, RowVector{{5, 9}}}}, kGain).best, 0);

  PathScores again = path;
  set_point(again, 2, {RowVector{{8, 9}}, 3}, kLoss);
  EXPECT_EQ(again.mean, Vector({{7, 8.5, 3, 6}}));
  EXPECT_EQ(again.active(1), 3);
  EXPECT_EQ(again.best, 2);
}

TEST(PathScores, OneStandardErrorAllowsALargerLambda) {
  const PathScores path =
      path_of({{8, RowVector{{9, 9}}}, {4, RowVector{{2.5, 3}}}, {1, RowVector{{1, 3}}}}, kLoss);
  EXPECT_EQ(path.best, 2);
  EXPECT_EQ(path.one_standard_error, 1);
}

// Folds differ more than candidates do: the difference counts in each fold.
TEST(PathScores, ACandidateIsBehindByItsDifferenceInTheSameFolds) {
  const PathScores leader = path_of({{1, RowVector{{1, 5, 9}}}}, kLoss);
  const PathScores behind = path_of({{1, RowVector{{1.2, 5.3, 9.1}}}}, kLoss);
  const PathScores level = path_of({{1, RowVector{{1.5, 4.6, 9.1}}}}, kLoss);
  EXPECT_TRUE(clearly_behind(behind, leader, kLoss));
  EXPECT_FALSE(clearly_behind(level, leader, kLoss));
  EXPECT_FALSE(clearly_behind(behind, leader, kGain));
  EXPECT_TRUE(clearly_behind(leader, behind, kGain));
}

}  // namespace
}  // namespace bkernn
