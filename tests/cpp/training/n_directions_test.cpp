// A second fit within the space of the leading directions.
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "by_rule.hpp"
#include "naive.hpp"
#include "stop_at.hpp"

namespace bkernn {
namespace {

FitOptions within(Index k) {
  FitOptions options = by_rule();
  options.n_particles = 10;
  options.n_directions = k;
  return options;
}

Simulated three_directions() {
  return simulate({.kind = "multi_index", .n = 200, .n_test = 300, .d = 6, .seed = 2});
}

// How much of W lies outside the space of these orthonormal columns.
double outside(const Matrix& W, const Matrix& P) {
  return (W - P * (P.transpose() * W)).norm() / std::max(W.norm(), 1e-300);
}

class WithinDirections : public testing::TestWithParam<std::string> {};

TEST_P(WithinDirections, StaysInTheSpaceThatWasFound) {
  Rng rng(2);
  const Matrix X = rng.normal_matrix(80, 4);
  const Matrix Y = naive::targets(GetParam(), X, naive::outputs(GetParam()), rng);
  FitOptions options = within(0);
  options.loss = GetParam();
  options.max_iter = 15;
  options.regularization = 1e-3;  // small enough for two directions
  const Model found = fit(X, Y, options).model;
  options.n_directions = 2;
  const FitResult result = fit(X, Y, options);
  result.model.validate();
  EXPECT_LE(outside(result.W, found.directions(2)), 1e-12);
  EXPECT_LE(result.model.rank(), 2);
  EXPECT_EQ(result.model.penalty, "feature");
  EXPECT_TRUE(result.report.race.empty());  // λ and penalty of the first fit are given
  EXPECT_FALSE(result.report.refit.empty());
  options.n_threads = 1;
  EXPECT_EQ(fit(X, Y, options).model.predict(X), result.model.predict(X));
}

INSTANTIATE_TEST_SUITE_P(All, WithinDirections, testing::ValuesIn(loss_names()));

// The same as projecting the rows by hand and fitting those.
TEST(WithinDirections, EqualsAFitOfProjectedRows) {
  const Simulated data = three_directions();
  FitOptions options = within(0);
  options.standardize = false;
  options.tol = 0;  // before rounding has turned into another path
  options.max_iter = 10;
  const Matrix P = fit(data.train.X, data.train.Y, options).model.directions(2);
  options.n_directions = 2;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  options.n_directions = 0;
  options.penalty = "basic";
  options.regularization_rule = "auto";
  const FitResult by_hand = fit(data.train.X * P, data.train.Y, options);
  EXPECT_NEAR(result.regularization, by_hand.regularization, 1e-9 * by_hand.regularization);
  EXPECT_NEAR(result.report.objective, by_hand.report.objective, 1e-9);
  const Matrix want = by_hand.model.predict(data.test.X * P);
  EXPECT_LE((result.model.predict(data.test.X) - want).norm(), 1e-8 * want.norm());
}

TEST(WithinDirections, TakesVariablesWherePenaltySelectsThem) {
  const Simulated data = three_directions();
  FitOptions options = within(3);
  options.penalty = "variable";
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_EQ((result.W.rowwise().norm().array() > 0).count(), 3);
  EXPECT_TRUE(result.model.selects_variables());
}

TEST(WithinDirections, AreAtMostThoseThatWereFound) {
  const Simulated data = three_directions();
  FitOptions options = within(50);
  EXPECT_LE(fit(data.train.X, data.train.Y, options).model.rank(), 6);
  options.regularization = 1e3;  // the constant has no direction
  const FitResult constant = fit(data.train.X, data.train.Y, options);
  EXPECT_EQ(constant.model.rank(), 0);
  EXPECT_TRUE(constant.report.refit.empty());
}

TEST(WithinDirections, OfSeveralModelsAreThoseOfTheirMean) {
  const Simulated data = three_directions();
  FitOptions options = within(0);
  options.n_models = 2;
  const Model found = fit(data.train.X, data.train.Y, options).model;
  options.n_directions = 1;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_EQ(result.report.models, 2);
  EXPECT_EQ(result.W.cols(), 20);
  EXPECT_LE(outside(result.W, found.directions(1)), 1e-12);
}

TEST(WithinDirections, AreNotSoughtOnceTheFitIsStopped) {
  const Simulated data = three_directions();
  StopAt stop(3);
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y}, within(2), &stop);
  EXPECT_EQ(result.report.termination, Termination::stopped);
  EXPECT_TRUE(result.report.refit.empty());
  EXPECT_THROW(fit({.X = data.train.X, .Y = data.train.Y, .resume = &stop.state}, within(2)),
               InvalidArgument);
}

TEST(ModelRank, CountsDirectionsOrVariables) {
  Model model;
  model.center = RowVector::Zero(3);
  EXPECT_EQ(model.rank(), 0);
  model.W.resize(3, 4);
  model.W << 1, 2, 3, 4, 2, 4, 6, 8, 0, 0, 0, 0;
  EXPECT_EQ(model.rank(), 1);
  model.penalty = "variable";
  EXPECT_EQ(model.rank(), 2);
}

}  // namespace
}  // namespace bkernn
