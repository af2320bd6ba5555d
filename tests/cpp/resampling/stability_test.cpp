// How sure directions, variables and their number are.
#include "bkernn/stability.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"

namespace bkernn {
namespace {

FitOptions quick_study() {
  FitOptions options;
  options.n_particles = 10;
  options.max_iter = 30;
  options.penalty = "feature";
  options.regularization = 0.05;
  return options;
}

// y depends on (x_1 + x_2)/√2, of d variables.
struct OneDirection {
  explicit OneDirection(Index n, Index d, double noise = 0.1) {
    Rng rng(1);
    X = rng.normal_matrix(n, d);
    Y = (1.5 * (X.col(0) + X.col(1)) / std::sqrt(2.0)).array().sin() +
        noise * rng.normal_matrix(n, 1).array();
  }
  StabilityResult study(const FitOptions& fit, const StabilityOptions& options,
                        StabilityObserver* observer = nullptr) const {
    const MatrixView x = X, y = Y;
    return stability({.X = x, .Y = y}, fit, options, observer);
  }
  Matrix X, Y;
};

TEST(StabilityTest, FindsOneDirectionAgainAndAgain) {
  const OneDirection data(300, 5);
  const StabilityResult result = data.study(quick_study(), {.n_pairs = 4});
  EXPECT_EQ(result.halves, 8);
  EXPECT_EQ(result.curve.dimension, 1);
  EXPECT_EQ(result.curve.loss.size(), result.curve.p_value.size() + 1);
  EXPECT_LT(result.curve.loss(1), 0.5 * result.curve.loss(0));
  EXPECT_LE(result.curve.p_value(0), 0.01);
  ASSERT_GE(result.directions.cols(), 1);
  EXPECT_LT(result.angle_levels(1, 0), 15);
  EXPECT_NEAR(std::abs(result.directions(0, 0)), std::sqrt(0.5), 0.1);
  // Signs are aligned: both leading weights keep theirs in every half.
  for (const Index a : {0, 1})
    EXPECT_GT(result.lower(a, 0) * result.upper(a, 0), 0) << result.lower << "\n" << result.upper;
  EXPECT_EQ(result.selection(0), 1);
  EXPECT_NEAR(result.bound, result.selected * result.selected / (0.5 * 5), 1e-12);
  EXPECT_TRUE((result.angles.array() >= 0).all() && (result.angles.array() <= 90).all());
}

TEST(StabilityTest, NoiseVariablesStayBelowTheBound) {
  Rng rng(3);
  const Index d = 12;
  const Matrix X = rng.normal_matrix(200, d);
  const Matrix Y = 2 * X.col(0) + X.col(1).cwiseAbs() + 0.5 * rng.normal_matrix(200, 1);
  const MatrixView x = X, y = Y;
  FitOptions options = quick_study();
  options.penalty = "concave_variable";
  const StabilityResult result = stability({.X = x, .Y = y}, options, {.n_pairs = 6});
  double noise = 0;
  for (Index a = 2; a < d; ++a) noise += result.selection(a) >= result.threshold;
  EXPECT_LE(noise, std::max(result.bound, 1.0));
  EXPECT_EQ(result.selection(0), 1);
}

// λ is so small that the leading direction is off, and another one helps to predict, though y
// depends on one: signs count it, permuted tables that are fitted again do not.
TEST(StabilityTest, RefitsOfPermutedTablesCountTheDirectionsOfY) {
  Rng rng(4);
  const Matrix X = rng.normal_matrix(200, 5);
  const Matrix Y = X.col(0) + 0.5 * rng.normal_matrix(200, 1);
  const MatrixView x = X, y = Y;
  FitOptions options = quick_study();
  options.max_iter = 20;
  options.regularization = 0.005;
  const DimensionCurve signs = stability({.X = x, .Y = y}, options, {.n_pairs = 0}).curve;
  const DimensionCurve refits =
      stability({.X = x, .Y = y}, options, {.n_pairs = 0, .n_refits = 39}).curve;
  EXPECT_EQ(signs.loss, refits.loss);
  EXPECT_EQ(signs.dimension, 2);
  EXPECT_EQ(refits.dimension, 1);
  EXPECT_EQ(refits.p_value(0), 1.0 / 40);
  EXPECT_GT(refits.p_value(1), 0.1);
}

TEST(StabilityTest, TheSameOnAnyThreadsAndForRowsInAnyOrder) {
  OneDirection data(80, 3);
  FitOptions options = quick_study();
  options.n_threads = 1;
  const StabilityResult one = data.study(options, {.n_pairs = 2, .n_refits = 19});
  options.n_threads = 3;
  data.X = data.X.colwise().reverse().eval();
  data.Y = data.Y.colwise().reverse().eval();
  const StabilityResult other = data.study(options, {.n_pairs = 2, .n_refits = 19});
  EXPECT_EQ(one.angles, other.angles);
  EXPECT_EQ(one.lower, other.lower);
  EXPECT_EQ(one.curve.loss, other.curve.loss);
  EXPECT_EQ(one.curve.p_value, other.curve.p_value);
}

// A number with gaps, and two categories of which the first matters: columns are judged, not their
// coordinates, and the encoder is part of every fit.
TEST(StabilityTest, WordsAndGapsAreJudgedByColumn) {
  Rng rng(4);
  const Index n = 160;
  Matrix numbers = rng.normal_matrix(n, 3);
  Categories words = {{1, {.codes = {}, .levels = {"a", "b", "c"}}},
                      {2, {.codes = {}, .levels = {"p", "q", "r", "s"}}}};
  Matrix Y = 0.3 * rng.normal_matrix(n, 1) + 0.5 * numbers.col(0);
  for (Index i = 0; i < n; ++i) {
    words[1].codes.push_back(static_cast<std::int32_t>(rng.uniform() * 3));
    words[2].codes.push_back(static_cast<std::int32_t>(rng.uniform() * 4));
    Y(i, 0) += 2.0 * (words[1].codes.back() == 2);
    if (i % 9 == 0) numbers(i, 0) = std::nan("");
  }
  const Encoder encoder = learn_encoder({numbers, words});
  const Matrix X = encoder.encode({numbers, words});
  const MatrixView x = X, y = Y;
  FitOptions options = quick_study();
  options.penalty = "concave_variable";
  const StabilityResult result =
      stability({.X = x, .Y = y, .encoder = &encoder}, options, {.n_pairs = 3, .n_refits = 19});
  ASSERT_EQ(result.selection.size(), 3);
  EXPECT_EQ(result.selection(1), 1);
  EXPECT_LT(result.selection(2), 1);
  EXPECT_NEAR(result.bound, result.selected * result.selected / (0.5 * 3), 1e-12);
  EXPECT_EQ(result.directions.rows(), 2 + 3 + 4);
  EXPECT_EQ(result.fit.model.encoder, encoder);
  EXPECT_GE(result.curve.dimension, 1);
}

TEST(StabilityTest, StopsWhenAsked) {
  struct Stop final : StabilityObserver {
    bool on_progress(int finished, int fits) override {
      all = fits;
      return finished < 2;
    }
    int all = 0;
  } stop;
  const OneDirection data(60, 3);
  EXPECT_TRUE(data.study(quick_study(), {.n_pairs = 20}, &stop).stopped);
  EXPECT_EQ(stop.all, 1 + 40 + 5);
}

TEST(StabilityTest, StopsAmongRefits) {
  struct Stop final : StabilityObserver {
    bool on_progress(int finished, int fits) override {
      all = fits;
      return finished < 8;
    }
    int all = 0;
  } stop;
  const OneDirection data(60, 3);
  EXPECT_TRUE(data.study(quick_study(), {.n_pairs = 0, .n_refits = 19}, &stop).stopped);
  EXPECT_EQ(stop.all, 1 + 5 + 19 * 5);
}

TEST(StabilityTest, BadSettingsAreRefused) {
  const OneDirection data(40, 2), few(6, 2);
  const FitOptions fit = quick_study();
  EXPECT_THROW(data.study(fit, {.n_pairs = -1}), InvalidArgument);
  EXPECT_THROW(data.study(fit, {.threshold = 0.5}), InvalidArgument);
  EXPECT_THROW(data.study(fit, {.coverage = 1}), InvalidArgument);
  EXPECT_THROW(data.study(fit, {.n_folds = 1}), InvalidArgument);
  EXPECT_THROW(data.study(fit, {.n_permutations = 1}), InvalidArgument);
  EXPECT_THROW(data.study(fit, {.n_refits = 5}), InvalidArgument);
  EXPECT_THROW(few.study(fit, {.n_pairs = 1}), InvalidArgument);
}

}  // namespace
}  // namespace bkernn
