// The outer loop: what it promises about objectives, reports, stopping and going on.
#include "outer/optimizer.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/simulate.hpp"
#include "naive.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

struct Data {
  explicit Data(const std::string& loss, std::uint64_t seed = 1, Index n = 80) : rng(seed) {
    X = rng.normal_matrix(n, 4);
    Y = naive::targets(loss, X, naive::outputs(loss), rng);
  }
  Rng rng;
  Matrix X, Y;
};

FitOptions quick(const std::string& optimizer, const std::string& loss = "square") {
  FitOptions options;
  options.n_particles = 8;
  options.optimizer = optimizer;
  options.loss = loss;
  options.max_iter = 12;
  options.tol = 0;
  return options;
}

// Keeps every state; stops after `limit` iterations.
class Recorder : public Observer {
 public:
  explicit Recorder(int limit = 1 << 30) : limit_(limit) {}
  bool on_iteration(const IterationRecord& record, const FitState& state) override {
    records.push_back(record);
    states.push_back(state);
    return static_cast<int>(records.size()) < limit_;
  }
  std::vector<IterationRecord> records;
  std::vector<FitState> states;

 private:
  int limit_;
};

void expect_same_bits(const FitResult& a, const FitResult& b, const Matrix& X) {
  EXPECT_TRUE(a.W == b.W) << "W";
  EXPECT_TRUE(a.alpha == b.alpha) << "alpha";
  EXPECT_TRUE(a.intercept == b.intercept) << "intercept";
  EXPECT_TRUE(a.model.predict(X) == b.model.predict(X)) << "predictions";
  EXPECT_EQ(a.report.objective, b.report.objective);
  EXPECT_EQ(a.report.initial_objective, b.report.initial_objective);
}

class Optimizer : public testing::TestWithParam<std::string> {};

TEST_P(Optimizer, ReportIsConsistent) {
  for (const std::string& loss : loss_names()) {
    Data data(loss);
    Recorder recorder;
    const FitResult result = fit({.X = data.X, .Y = data.Y}, quick(GetParam(), loss), &recorder);
    const FitReport& report = result.report;
    SCOPED_TRACE(loss);
    ASSERT_EQ(report.iterations.size(), recorder.records.size());
    EXPECT_EQ(report.optimizer, GetParam());
    EXPECT_EQ(report.kernel_operator, "sorted");
    EXPECT_TRUE(report.inner_solver == "cg" || report.inner_solver == "cholesky");
    EXPECT_LE(report.objective, report.initial_objective * (1 + 1e-9));
    int iteration = 0, evaluations = 1;
    double time = 0;
    for (const IterationRecord& record : report.iterations) {
      EXPECT_EQ(record.iteration, ++iteration);
      EXPECT_GT(record.evaluations, evaluations);
      evaluations = record.evaluations;
      time += record.seconds;
      EXPECT_GT(record.step, 0);
      EXPECT_GE(record.inner_iterations, 0);
      EXPECT_LE(record.active_particles, 8);
      EXPECT_TRUE(std::isnan(record.validation));
      EXPECT_GE(record.objective, record.smooth);
      if (GetParam() == "spectral") {
        EXPECT_LE(report.objective, record.objective + 1e-9 * std::abs(record.objective));
      }
    }
    EXPECT_GE(report.seconds, time);
    EXPECT_EQ(report.evaluations, evaluations + 1) << "one last, tight solve";
    EXPECT_TRUE(report.inner_converged) << report.inner_residual;
    EXPECT_FALSE(report.brief().empty());
  }
}

// G + λΩ, from the returned model alone.
TEST_P(Optimizer, ObjectiveIsThatOfTheReturnedModel) {
  Data data("square");
  FitOptions options = quick(GetParam());
  options.standardize = false;
  options.regularization = 0.05;
  options.penalty_weight = 0.7;
  const FitResult result = fit(data.X, data.Y, options);
  const Matrix K = naive::gram("brownian", data.X, result.W);
  const double G = naive::square_optimum(K, data.Y, 0.05);
  EXPECT_NEAR(result.report.objective,
              G + 0.05 * 0.7 * naive::penalty(options.penalty, result.W, 1), 1e-8);
}

TEST_P(Optimizer, ZeroToleranceRunsAllIterations) {
  Data data("square");
  for (const int iterations : {0, 1, 2, 25}) {
    FitOptions options = quick(GetParam());
    options.max_iter = iterations;
    const FitReport report = fit(data.X, data.Y, options).report;
    EXPECT_EQ(report.iterations.size(), static_cast<std::size_t>(iterations));
    EXPECT_EQ(report.termination, Termination::max_iterations);
    EXPECT_FALSE(report.converged());
  }
  FitOptions options = quick(GetParam());
  options.max_iter = 2000;
  options.tol = 1e-3;
  const FitReport report = fit(data.X, data.Y, options).report;
  EXPECT_TRUE(report.converged()) << report.brief();
  EXPECT_LT(report.iterations.size(), 2000u);
}

TEST_P(Optimizer, NoIterationsGiveTheInitialParticles) {
  Data data("square");
  FitOptions options = quick(GetParam());
  options.max_iter = 0;
  options.init = data.rng.normal_matrix(4, 8);
  const FitResult result = fit(data.X, data.Y, options);
  EXPECT_EQ(result.W, options.init);
  EXPECT_TRUE(result.model.predict(data.X).allFinite());
}

TEST_P(Optimizer, ObserverStopsWithAUsableModel) {
  for (const int limit : {1, 3, 7}) {
    Data data("square");
    Recorder recorder(limit);
    FitOptions options = quick(GetParam());
    const FitResult stopped = fit({.X = data.X, .Y = data.Y}, options, &recorder);
    EXPECT_EQ(stopped.report.termination, Termination::stopped);
    EXPECT_FALSE(stopped.report.converged());
    options.max_iter = limit;
    expect_same_bits(stopped, fit(data.X, data.Y, options), data.X);
  }
}

TEST_P(Optimizer, ResumedFitsTakeTheSameSteps) {
  for (const std::string& loss : loss_names()) {
    Data data(loss);
    const FitOptions options = quick(GetParam(), loss);
    Recorder recorder;
    const FitResult whole = fit({.X = data.X, .Y = data.Y}, options, &recorder);
    for (const FitState& state : recorder.states) {
      SCOPED_TRACE(loss + " from iteration " + std::to_string(state.iteration()));
      const FitState copy = state;
      const FitResult resumed = fit({.X = data.X, .Y = data.Y, .resume = &copy}, options);
      expect_same_bits(whole, resumed, data.X);
      EXPECT_EQ(whole.report.evaluations, resumed.report.evaluations);
      EXPECT_EQ(whole.report.inner_iterations, resumed.report.inner_iterations);
      EXPECT_EQ(whole.report.termination, resumed.report.termination);
      EXPECT_EQ(whole.report.iterations.size(), resumed.report.iterations.size());
      EXPECT_EQ(whole.report.inner_solver, resumed.report.inner_solver);
    }
  }
}

// The automatic inner solver turns to Cholesky on the way: what was interrupted after that must
// remember it.
TEST_P(Optimizer, ResumesAfterTheInnerSolverChanged) {
  Data data("square", 1, 400);
  FitOptions options = quick(GetParam());
  options.regularization = 1e-12;
  options.inner_tol = 1e-12;
  options.max_iter = 5;
  Recorder recorder;
  const FitResult whole = fit({.X = data.X, .Y = data.Y}, options, &recorder);
  EXPECT_EQ(whole.report.inner_solver, "cholesky");
  for (const FitState& state : recorder.states) {
    expect_same_bits(whole, fit({.X = data.X, .Y = data.Y, .resume = &state}, options), data.X);
  }
}

TEST_P(Optimizer, EarlyStoppingReturnsTheBestOnValidationRows) {
  Data data("square"), other("square", 2);
  const MatrixView validation_X = other.X;
  const Matrix other_Y =
      data.Y.middleRows(0, 80).array() + other.Y.array();  // nothing to be learned for
  const MatrixView validation_Y = other_Y;
  FitOptions options = quick(GetParam());
  options.early_stopping = true;
  options.n_iter_no_change = 4;
  options.max_iter = 300;
  options.inner_tol = 1e-10;
  Recorder recorder;
  const FitInput input{
      .X = data.X, .Y = data.Y, .validation_X = &validation_X, .validation_Y = &validation_Y};
  const FitResult result = fit(input, options, &recorder);
  EXPECT_EQ(result.report.termination, Termination::early_stopped);
  double best = std::numeric_limits<double>::infinity();
  std::size_t at = 0;
  for (std::size_t i = 0; i < recorder.records.size(); ++i) {
    ASSERT_TRUE(std::isfinite(recorder.records[i].validation));
    if (recorder.records[i].validation < best) {
      best = recorder.records[i].validation;
      at = i;
    }
  }
  EXPECT_EQ(recorder.records.size(), at + 1 + 4);
  EXPECT_EQ(result.W, recorder.states[at].W());
  // The recorded loss is that of the model, in the units of the fit.
  const Matrix error = result.model.predict(other.X) - other_Y;
  const Matrix centered = data.Y.rowwise() - data.Y.colwise().mean();
  double want = 0;
  for (Index k = 0; k < 2; ++k)
    want += 0.5 * error.col(k).squaredNorm() / centered.col(k).squaredNorm();
  EXPECT_NEAR(best, want, 1e-6 * want);
  for (const FitState& state : recorder.states) {
    FitInput again = input;
    again.resume = &state;
    expect_same_bits(result, fit(again, options), data.X);
  }
}

TEST_P(Optimizer, ConstantTargetsGiveTheConstantModel) {
  Data data("square");
  for (const std::string loss : {"square", "huber", "quantile"}) {
    for (const double constant : {0.0, 3.0, -1e6}) {
      const FitResult result =
          fit(data.X, Matrix::Constant(80, 1, constant), quick(GetParam(), loss));
      const Matrix f = result.model.predict(data.X);
      EXPECT_LE((f.array() - constant).abs().maxCoeff(), 1e-9 * (1 + std::abs(constant))) << loss;
      EXPECT_TRUE(std::isfinite(result.report.objective));
    }
  }
}

TEST_P(Optimizer, ZeroParticlesAreTrivial) {
  Data data("square");
  FitOptions options = quick(GetParam());
  options.init = Matrix::Zero(4, 8);
  const FitResult result = fit(data.X, data.Y, options);
  EXPECT_EQ(result.report.termination, Termination::trivial);
  EXPECT_EQ(result.model.W.cols(), 0);
  EXPECT_LE((result.model.predict(data.X).rowwise() - data.Y.colwise().mean()).norm(), 1e-12);
}

TEST_P(Optimizer, WithoutPenaltyThereIsStillAnEnd) {
  Data data("square");
  FitOptions options = quick(GetParam());
  options.penalty_weight = 0;
  const FitResult result = fit(data.X, data.Y, options);
  EXPECT_TRUE(result.W.allFinite());
  EXPECT_TRUE(result.model.predict(data.X).allFinite());
  EXPECT_LT(result.W.norm(), 1e100);
  EXPECT_LT(result.report.evaluations, 500);
}

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
  FitOptions options;
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
  FitOptions options;
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
  FitOptions options;
  options.penalty = "concave_variable";
  options.regularization = 0.2;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_GT(result.report.iterations.front().active_particles, 0);
  EXPECT_LT(result.report.objective, 0.4999);  // the constant model has 0.5
}

INSTANTIATE_TEST_SUITE_P(All, Optimizer, testing::ValuesIn(step_rule_names()),
                         [](const auto& one) { return one.param; });

TEST(Optimizers, SpectralEndsLowerThanAlgorithmOne) {
  Data data("square");
  FitOptions options = quick("paper");
  options.max_iter = 100;
  const double paper = fit(data.X, data.Y, options).report.objective;
  options.optimizer = "auto";
  const FitReport report = fit(data.X, data.Y, options).report;
  EXPECT_EQ(report.optimizer, "spectral");
  EXPECT_LE(report.objective, paper * 1.001);
}

// The recipe of the paper's first experiment with 100 particles. Algorithm 1 ends at 0.231 and a
// test error of 7.0.
TEST(Optimizers, SpectralStepsDoNotStallOnTheFirstExperiment) {
  const Simulated data =
      simulate({.kind = "abs_sum", .n = 214, .n_test = 1024, .d = 45, .k = 5, .noise = 0.5});
  FitOptions options;
  options.penalty = "basic";
  options.n_particles = 100;
  options.standardize = false;
  options.tol = 0;
  options.regularization = 0.1 * data.train.X.rowwise().norm().maxCoeff() / 214;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_LT(result.report.objective, 0.0625);
  EXPECT_LT(mean_squared_error(data.test.Y, result.model.predict(data.test.X)), 3.1);
}

// The fourth step climbs to twice the best objective so far, and ten more do not come down to it:
// no end, but a reason to go back.
TEST(Optimizers, DoNotSettleAboveTheBest) {
  const Simulated data =
      simulate({.kind = "sine_features", .n = 300, .d = 10, .noise = 0.1, .seed = 2});
  FitOptions options;
  options.penalty = "variable";
  options.regularization =
      10 * automatic_regularization({.X = data.train.X, .Y = data.train.Y}, options);
  Recorder recorder;
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y}, options, &recorder);
  options.optimizer = "paper";
  const FitResult paper = fit(data.train.X, data.train.Y, options);
  EXPECT_LT(result.report.objective, 1.005 * paper.report.objective);
  // Going back is a function of the state, as all steps are.
  options.optimizer = "auto";
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
  FitOptions options;
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
