// How many directions and variables are counted.
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"

namespace bkernn {
namespace {

struct Rows {
  Matrix X, Y;
};

// y = z² − 1 and a tenth of noise, z = pᵀx: where the convex penalty wins, it leaves directions.
Rows square(Index n, std::uint64_t seed) {
  Rng rng(seed);
  const Matrix X = rng.normal_matrix(n, 20), noise = rng.normal_matrix(n, 1);
  const Vector p = rng.normal_matrix(20, 1).col(0).normalized();
  return {X, (X * p).array().square().matrix() - Matrix::Ones(n, 1) + 0.47 * noise};
}

FitOptions convex() {
  FitOptions options;
  options.penalty = "feature";
  return options;
}

TEST(Count, LeavesDirectionsOutThatHeldOutRowsDoNotWant) {
  Index too_many = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Rows data = square(400, seed);
    const Model model = fit(data.X, data.Y, convex()).model;
    EXPECT_EQ(model.n_directions(), 1) << seed;
    EXPECT_EQ(model.dimension(), 1) << seed;
    too_many += model.dimension(kDimensionThreshold) > 1;
  }
  EXPECT_GE(too_many, 2);
}

TEST(Count, KeepsWeakDirectionsThatHeldOutRowsWant) {
  Index weak = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Simulated data =
        simulate({.kind = "multi_index", .n = 500, .d = 10, .noise = 0.1, .seed = 20 + seed});
    const Model model = fit(data.train.X, data.train.Y).model;
    EXPECT_EQ(model.n_directions(), 3) << seed;
    weak += model.dimension(0.25) < 3;
  }
  EXPECT_GE(weak, 2);
}

TEST(Count, VariablesToo) {
  Index too_many = 0;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    Rng rng(seed);
    const Matrix X = rng.normal_matrix(150, 20), noise = rng.normal_matrix(150, 1);
    const Matrix Y = X.leftCols(3).array().abs().rowwise().sum().matrix() + 0.7 * noise;
    FitOptions options;
    options.penalty = "variable";
    const Model model = fit(X, Y, options).model;
    EXPECT_EQ(model.n_variables(), 3) << seed;
    EXPECT_EQ(model.dimension(), 3) << seed;
    too_many += model.dimension(kDimensionThreshold) > 3;
  }
  EXPECT_GE(too_many, 1);
}

TEST(Count, GoesBySizeWhereNothingWasHeldOut) {
  const Rows data = square(400, 0);
  const FitResult chosen = fit(data.X, data.Y, convex());
  FitOptions fixed = convex();
  fixed.regularization = chosen.regularization;
  const Model model = fit(data.X, data.Y, fixed).model;
  EXPECT_EQ(model.n_directions(), dimension_of(model.singular_values()));
  EXPECT_EQ(model.n_variables(), dimension_of(model.importances()));
  EXPECT_GT(model.n_directions(), 1);
  EXPECT_EQ(chosen.model.n_directions(), 1);
}

TEST(Count, OfTheMeanOfSeveralFits) {
  const Rows data = square(400, 0);
  FitOptions options = convex();
  options.n_models = 2;
  EXPECT_EQ(fit(data.X, data.Y, options).model.n_directions(), 1);
}

TEST(Count, OfTheConstantIsZero) {
  Rng rng(1);
  const Model model = fit(rng.normal_matrix(100, 5), rng.normal_matrix(100, 1)).model;
  EXPECT_EQ(model.W.cols(), 0);
  EXPECT_EQ(model.n_directions(), 0);
  EXPECT_EQ(model.n_variables(), 0);
}

TEST(Count, IsTheSameForPermutedRowsAndAnyThreads) {
  const Rows data = square(300, 1);
  const Model model = fit(data.X, data.Y, convex()).model;
  FitOptions options = convex();
  options.n_threads = 1;
  const Model other = fit(data.X.colwise().reverse(), data.Y.colwise().reverse(), options).model;
  ASSERT_TRUE(model.counted && other.counted);
  EXPECT_EQ(model.counted->directions, other.counted->directions);
  EXPECT_EQ(model.counted->variables, other.counted->variables);
}

}  // namespace
}  // namespace bkernn
