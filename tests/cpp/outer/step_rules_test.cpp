// What single step rules promise: where they end, and that W = 0 is no trap.
#include "by_rule.hpp"
#include "outer/step_rule.hpp"

#include "bkernn/metrics.hpp"
#include "bkernn/simulate.hpp"
#include "optimizer_problem.hpp"

namespace bkernn {
namespace {

// Few rows of many variables, where steps easily end at W = 0.
Simulated wide() {
  return simulate({.kind = "sine_variables",
                   .n = 64,
                   .n_test = 500,
                   .d = 112,
                   .k = 2,
                   .noise = 0.1,
                   .seed = 1});
}

TEST(ConstantModel, IsAvoidedInTheSameWayAfterResuming) {
  const Simulated data = wide();
  FitInput input{.X = data.train.X, .Y = data.train.Y};
  FitOptions options = by_rule();
  options.penalty = "concave_feature";
  options.regularization = 0.25;
  Recorder recorder;
  const FitResult whole = fit(input, options, &recorder);
  ASSERT_GT(recorder.states.size(), 8u);
  for (int at = 1; at < 8; ++at) {
    input.resume = &recorder.states[at];
    expect_same_bits(fit(input, options), whole, data.test.X);
  }
}

TEST(ConstantModel, IsTheEndOnlyWhereNothingNearItIsBetter) {
  const Simulated data = wide();
  FitOptions options = by_rule();
  options.penalty = "concave_feature";
  options.regularization = 0.25;
  const FitReport better = fit(data.train.X, data.train.Y, options).report;
  EXPECT_NE(better.termination, Termination::trivial);
  EXPECT_LT(better.objective, 0.35);  // the constant model has 0.5
  options.regularization = 10;
  const FitResult constant = fit(data.train.X, data.train.Y, options);
  EXPECT_EQ(constant.report.termination, Termination::trivial);
  EXPECT_EQ(constant.W.norm(), 0);
}

// More variables than rows, and a penalty that the first step could satisfy by dropping all of
// them.
TEST(FirstStep, DoesNotEndAtTheConstantModel) {
  const Simulated data = wide();
  FitOptions options = by_rule();
  options.penalty = "concave_variable";
  options.regularization = 0.2;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_GT(result.report.iterations.front().active_particles, 0);
  EXPECT_LT(result.report.objective, 0.4999);  // the constant model has 0.5
}

TEST(Optimizers, TheDefaultEndsLowerThanAlgorithmOne) {
  Data data("square");
  FitOptions options = quick("paper");
  options.max_iter = 100;
  double paper = 0, automatic = 0;  // from different starts they end in different minima
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    options.seed = seed;
    options.optimizer = "paper";
    paper += fit(data.X, data.Y, options).report.objective;
    options.optimizer = "auto";
    const FitReport report = fit(data.X, data.Y, options).report;
    EXPECT_EQ(report.optimizer, "quasi_newton");
    automatic += report.objective;
  }
  EXPECT_LT(automatic, 0.98 * paper);
}

// The recipe of the paper's first experiment with 100 particles. Algorithm 1 ends at 0.231 and a
// test error of 7.0.
TEST(Optimizers, DoNotStallOnTheFirstExperiment) {
  const Simulated data =
      simulate({.kind = "abs_sum", .n = 214, .n_test = 1024, .d = 45, .k = 5, .noise = 0.5});
  FitOptions options = by_rule();
  options.penalty = "basic";
  options.n_particles = 100;
  options.standardize = false;
  options.tol = 0;
  options.max_iter = 200;
  options.regularization = 0.1 * data.train.X.rowwise().norm().maxCoeff() / 214;
  for (const std::string optimizer : {"quasi_newton", "spectral"}) {
    options.optimizer = optimizer;
    const FitResult result = fit(data.train.X, data.train.Y, options);
    EXPECT_LT(result.report.objective, 0.0625) << optimizer;
    EXPECT_LT(mean_squared_error(data.test.Y, result.model.predict(data.test.X)), 3.1) << optimizer;
  }
}

// The fourth step climbs to twice the best objective so far, and ten more do not come down to it:
// no end, but a reason to go back.
TEST(Optimizers, DoNotSettleAboveTheBest) {
  const Simulated data =
      simulate({.kind = "sine_features", .n = 300, .d = 10, .noise = 0.1, .seed = 2});
  FitOptions options = by_rule();
  options.penalty = "variable";
  options.optimizer = "spectral";
  options.regularization =
      10 * automatic_regularization({.X = data.train.X, .Y = data.train.Y}, options);
  Recorder recorder;
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y}, options, &recorder);
  options.optimizer = "paper";
  const FitResult paper = fit(data.train.X, data.train.Y, options);
  EXPECT_LT(result.report.objective, 1.005 * paper.report.objective);
  // Going back is a function of the state, as all steps are.
  options.optimizer = "spectral";
  for (const std::size_t at : {11, 12, 13, 14, 15}) {
    ASSERT_LT(at, recorder.states.size());
    const FitResult resumed =
        fit({.X = data.train.X, .Y = data.train.Y, .resume = &recorder.states[at]}, options);
    EXPECT_EQ(resumed.W, result.W) << at;
  }
}

// One row a thousand million times as far out as the others: rounding keeps conjugate gradients
// from the last digits, and the tight solve at the end must not end farther off than it began.
TEST(Optimizers, TheLastSolveMakesNothingWorse) {
  Rng rng(5);
  FitOptions options = by_rule();
  options.n_particles = 7;
  options.penalty = "feature";
  options.penalty_weight = 0.1;
  options.inner_solver = "cg";
  options.standardize = false;
  options.regularization = 1e-3;
  options.max_iter = 5;
  for (int repetition = 0; repetition < 25; ++repetition) {
    Matrix X = rng.normal_matrix(150, 30);
    const Matrix Y = rng.normal_matrix(150, 1);
    X.row(0) *= 1e9;
    const FitReport report = fit(X, Y, options).report;
    double best = report.initial_objective;
    for (const IterationRecord& record : report.iterations) best = std::min(best, record.objective);
    EXPECT_LT(report.objective, 1.1 * best) << repetition;
  }
}

TEST(Optimizers, AlgorithmOneHalvesStepsThatOverflow) {
  Data data("square");
  FitOptions options = quick("paper");
  options.step_size = 1e200;
  options.max_halvings = 2000;
  const FitReport report = fit(data.X, data.Y, options).report;
  EXPECT_LT(report.objective, 0.9 * report.initial_objective);
}

}  // namespace
}  // namespace bkernn
