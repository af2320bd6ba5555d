// Coarse to fine: the stages, what a fit in stages finds, and that it can be interrupted in any of
// them.
#include "outer/stages.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/simulate.hpp"
#include "stop_at.hpp"

namespace bkernn {
namespace {

TEST(Stages, AreAFunctionOfTheShape) {
  const FitOptions automatic = by_rule();
  EXPECT_EQ(stage_rows(automatic, 7999, 20, false), (std::vector<Index>{7999}));
  EXPECT_EQ(stage_rows(automatic, 8000, 20, false), (std::vector<Index>{2000, 8000}));
  EXPECT_EQ(stage_rows(automatic, 50000, 20, false), (std::vector<Index>{2000, 12500, 50000}));
  EXPECT_EQ(stage_rows(automatic, 79999, 1000, false), (std::vector<Index>{79999}));
  EXPECT_EQ(stage_rows(automatic, 80000, 1000, false), (std::vector<Index>{20000, 80000}));
  EXPECT_EQ(stage_rows(automatic, 1000000, 20, false),
            (std::vector<Index>{2000, 10000, 50000, 250000, 1000000}));
  EXPECT_EQ(stage_rows(automatic, 2499, 20, true), (std::vector<Index>{2499}));
  EXPECT_EQ(stage_rows(automatic, 2500, 20, true), (std::vector<Index>{2000, 2500}));
  EXPECT_EQ(stage_rows(automatic, 1000000, 20, true),
            (std::vector<Index>{2000, 10000, 20000, 1000000}));
  EXPECT_EQ(stage_rows(automatic, 50000, 500, false), (std::vector<Index>{12500, 50000}));
  FitOptions other = by_rule();
  other.schedule = "direct";
  EXPECT_EQ(stage_rows(other, 1000000, 20, false), (std::vector<Index>{1000000}));
  other = {};
  other.optimizer = "paper";
  EXPECT_EQ(stage_rows(other, 1000000, 20, false), (std::vector<Index>{1000000}));
  other = {};
  other.tol = 0;
  EXPECT_EQ(stage_rows(other, 1000000, 20, false), (std::vector<Index>{1000000}));
}

TEST(Stages, AreSparingWhereAStepTakesLong) {
  EXPECT_FALSE(takes_few_steps(50000, false));
  EXPECT_TRUE(takes_few_steps(50001, false));
  EXPECT_TRUE(takes_few_steps(5000, true));
}

class StagedFit : public testing::Test {
 protected:
  StagedFit()
      : data(simulate(
            {.kind = "multi_index", .n = 16000, .n_test = 2000, .d = 6, .noise = 0.1, .seed = 4})) {
    options.n_particles = 10;
    options.max_iter = 12;
    options.penalty = "feature";
  }
  FitInput input() const { return {.X = data.train.X, .Y = data.train.Y}; }
  Simulated data;
  FitOptions options = by_rule();
};

TEST_F(StagedFit, PredictsAsWellAsADirectOne) {
  const FitResult staged = fit(input(), options);
  EXPECT_EQ(staged.report.iterations.front().rows, 2000);
  EXPECT_EQ(staged.report.iterations.back().rows, 16000);
  EXPECT_EQ(staged.alpha.rows(), 16000);
  FitOptions direct = options;
  direct.schedule = "direct";
  const FitResult one = fit(input(), direct);
  EXPECT_EQ(one.report.iterations.front().rows, 16000);
  const auto r2 = [&](const FitResult& result) {
    return r2_score(data.test.Y, result.model.predict(data.test.X));
  };
  EXPECT_GT(r2(staged), r2(one) - 0.005);
  EXPECT_LT(staged.report.objective, 1.05 * one.report.objective);
}

TEST_F(StagedFit, TakesNoStepOnAllRowsThatPromisesLittle) {
  data =
      simulate({.kind = "multi_index", .n = 50001, .n_test = 2, .d = 6, .noise = 0.1, .seed = 4});
  options.max_iter = 60;
  options.regularization = 30 * automatic_regularization(input(), options);
  options.tol = 1e-5;
  const FitResult careful = fit(input(), options);
  EXPECT_EQ(careful.report.iterations.back().rows, 50001);
  options.tol = 0.09;
  const FitResult quick = fit(input(), options);
  EXPECT_EQ(quick.report.iterations.back().rows, 12500);
  EXPECT_EQ(quick.report.termination, Termination::converged);
  EXPECT_EQ(quick.report.stages(), (std::vector<Index>{2000, 12500, 50001}));
  EXPECT_LE(quick.report.inner_residual, 1e-4);
  // What the first step on all rows would have brought, is below what a last stage asks of it.
  FitOptions one = options;
  one.schedule = "direct";
  one.tol = 0;
  one.max_iter = 1;
  one.init = quick.W;
  EXPECT_GT(fit(input(), one).report.objective, (1 - 10 * options.tol) * quick.report.objective);
}

TEST_F(StagedFit, TakesStepsOnAllRowsThatAreNotMany) {
  options.max_iter = 60;
  options.tol = 0.005;
  const FitResult result = fit(input(), options);
  EXPECT_EQ(result.report.iterations.back().rows, 16000);
  EXPECT_EQ(result.report.termination, Termination::converged);
}

TEST_F(StagedFit, GoesOnToTheSameBitsFromEitherStage) {
  const FitResult whole = fit(input(), options);
  const int first = static_cast<int>(
      std::count_if(whole.report.iterations.begin(), whole.report.iterations.end(),
                    [](const IterationRecord& record) { return record.rows == 2000; }));
  for (const int at : {first / 2, first + 1}) {
    StopAt stop(at);
    const FitResult stopped = fit(input(), options, &stop);
    EXPECT_EQ(stopped.report.termination, Termination::stopped);
    EXPECT_EQ(stopped.alpha.rows(), 16000);
    EXPECT_LE(stopped.report.inner_residual, 1e-9);
    FitInput again = input();
    again.resume = &stop.state;
    const FitResult resumed = fit(again, options);
    EXPECT_EQ(resumed.W, whole.W) << "stopped at " << at;
    EXPECT_EQ(resumed.alpha, whole.alpha) << "stopped at " << at;
  }
}

// Rows of a lattice: knots jump as W moves, and no step goes far.
TEST(Stages, OnKnotsEndWhenTheSearchCreeps) {
  const std::vector<Index> levels{4, 4, 2, 3, 3, 2, 2, 2};
  Rng rng(1);
  Matrix X(3000, 8);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = static_cast<double>(rng.index(levels[j]));
  }
  const auto x = [&](Index j) { return X.col(j).array(); };
  const Matrix Y = (x(0) - x(1)).abs() * (1 + x(2)) + x(3) * x(4) + (x(0) > 1).cast<double>();
  FitOptions options = by_rule();
  options.n_particles = 20;
  options.regularization = 0.05;
  options.knots = 12;
  const FitReport report = fit({.X = X, .Y = Y}, options).report;
  EXPECT_EQ(report.termination, Termination::stalled);
  EXPECT_GT(report.promised_decrease, options.tol);
  EXPECT_LT(report.evaluations, 150);
}

}  // namespace
}  // namespace bkernn
