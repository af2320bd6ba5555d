// Numbers by their ranks.
#include "columns/rank_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

Vector ones(Index n) {
  return Vector::Ones(n);
}

double share_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

TEST(RankCurve, TakesTheMiddleOfTheShareOfEachValue) {
  const Vector values{{5, -1, 5, 100}};
  const Curve uniform = learn_curve("uniform", values, ones(4));
  EXPECT_EQ(uniform.x, (std::vector<double>{-1, 5, 100}));
  EXPECT_EQ(uniform.values, (std::vector<double>{0.125, 0.5, 0.875}));
  const Curve normal = learn_curve("normal", values, ones(4));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(share_below(normal.values[k]), uniform.values[k], 1e-12);
}

TEST(RankCurve, GoesStraightBetweenKnotsAndIsConstantBeyond) {
  const Curve curve = learn_curve("uniform", Vector{{0, 1, 3}}, ones(3));
  EXPECT_DOUBLE_EQ(curve(0.5), (curve(0) + curve(1)) / 2);
  EXPECT_DOUBLE_EQ(curve(2), (curve(1) + curve(3)) / 2);
  EXPECT_EQ(curve(-7), curve(0));
  EXPECT_EQ(curve(1e300), curve(3));
}

TEST(RankCurve, HasAnInverse) {
  Rng rng(1);
  const Vector values = rng.normal_matrix(500, 1);
  for (const std::string& ranks : rank_names()) {
    const Curve curve = learn_curve(ranks, values, ones(500));
    for (const double x : {-1.5, 0.0, 0.3, 2.0}) EXPECT_NEAR(curve.inverse(curve(x)), x, 1e-12);
  }
}

TEST(RankCurve, HasFewKnotsThatSpanAllRanks) {
  Rng rng(2);
  const Vector values = rng.normal_matrix(3000, 1).array().exp();
  const Curve curve = learn_curve("uniform", values, ones(3000));
  EXPECT_EQ(curve.x.size(), 64U);
  EXPECT_EQ(curve.x.front(), values.minCoeff());
  EXPECT_EQ(curve.x.back(), values.maxCoeff());
  for (Index i = 0; i < values.size(); ++i) {
    const auto below = static_cast<double>((values.array() < values(i)).count());
    EXPECT_NEAR(curve(values(i)), (below + 0.5) / 3000, 1.0 / 63 + 1e-3);
  }
}

TEST(RankCurve, LeavesLinesAlone) {
  EXPECT_FALSE(learn_curve("normal", Vector{{0, 1, 1, 0}}, ones(4)).bends());
  EXPECT_FALSE(learn_curve("uniform", Vector{{2, 2}}, ones(2)).bends());
  EXPECT_FALSE(learn_curve("none", Vector{{1, 2, 3}}, ones(3)).bends());
}

TEST(RankCurve, KnowsNoOrderOfRowsAndCountsWeights) {
  const Vector values{{3, 1, 4, 1, 5, 9}}, weights{{1, 2, 1, 1, 3, 1}};
  const Vector repeated{{3, 1, 1, 4, 1, 5, 5, 5, 9}};
  const Vector turned = repeated.reverse();
  for (const std::string& ranks : rank_names()) {
    const Curve curve = learn_curve(ranks, values, weights);
    EXPECT_EQ(learn_curve(ranks, repeated, ones(9)), curve);
    EXPECT_EQ(learn_curve(ranks, turned, ones(9)), curve);
  }
}

TEST(RankCurve, ChangesWithUnitsAsTheyDo) {
  Rng rng(3);
  const Vector values = rng.normal_matrix(200, 1);
  const Curve curve = learn_curve("normal", values, ones(200));
  const Curve scaled = learn_curve("normal", 8 * values, ones(200));
  EXPECT_EQ(scaled.values, curve.values);
  EXPECT_EQ(scaled(8 * 0.7), curve(0.7));
}

// A number with gaps, a category and a number, the first and the last by two kinds of ranks.
TEST(Encoder, BendsWhatItHasEncodedAsItEncodesRows) {
  Rng rng(4);
  Matrix X = rng.normal_matrix(60, 3);
  Category color{.codes = {}, .levels = {"blue", "green", "red"}};
  for (Index i = 0; i < 60; ++i) color.codes.push_back(static_cast<std::int32_t>(i % 3));
  X(5, 0) = NAN;
  const Categories words = {{1, color}};
  const Encoder plain = learn_encoder({X, words});
  Encoder curved = plain;
  const Vector first = X.col(0).unaryExpr([](double x) { return std::isnan(x) ? 0.0 : x; });
  for (const std::string& ranks : rank_names()) {
    curved.columns[0].curves.push_back(learn_curve(ranks, first, ones(60)));
    curved.columns[2].curves.push_back(learn_curve(ranks, X.col(2), ones(60)));
  }
  curved.validate();
  EXPECT_EQ(plain.coordinates(), 2 + 3 + 1);
  EXPECT_EQ(curved.coordinates(), 4 + 3 + 3);
  EXPECT_EQ(curved.groups(), (std::vector<Index>{0, 4, 7, 10}));
  EXPECT_EQ(curved.blocks(), (std::vector<Index>{0, 1, 2, 3, 4, 7, 8, 9, 10}));
  const Matrix bent = curved.bend(plain.encode({X, words}));
  EXPECT_TRUE(bent == curved.encode({X, words}));
  EXPECT_TRUE(bent.col(0) == plain.encode({X, words}).col(0));
  EXPECT_EQ(bent(5, 3), 1);  // the gap
  EXPECT_EQ(curved.coordinate_names({"a", "b", "c"})[1], "a uniform rank");
  EXPECT_EQ(curved.ranks(), "uniform");
  EXPECT_DOUBLE_EQ(curved.columns[2].straight(&bent.row(7).eval()(7)), X(7, 2));
}

TEST(Encoder, RefusesCurvesThatDoNotIncrease) {
  Encoder encoder;
  encoder.columns.resize(1);
  encoder.columns[0].curves = {{"uniform", {0, 1, 1}, {0, 0.5, 1}}};
  EXPECT_THROW(encoder.validate(), InvalidArgument);
  encoder.columns[0].curves = {{"uniform", {0, 1}, {0, 0.5, 1}}};
  EXPECT_THROW(encoder.validate(), InvalidArgument);
  encoder.columns[0].curves = {{"uniform", {0, 1}, {0, 1}}};
  EXPECT_NO_THROW(encoder.validate());
}

}  // namespace
}  // namespace bkernn
