// The outer loop: what it promises, with every step rule, about objectives, reports, stopping and
// going on.
#include "outer/optimizer.hpp"

#include "bkernn/metrics.hpp"
#include "bkernn/option_table.hpp"
#include "optimizer_problem.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

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
      if (GetParam() != "paper") {
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
  data.Y = naive::targets("square", data.X, 3, data.rng);  // too many unknowns to be remembered
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

INSTANTIATE_TEST_SUITE_P(All, Optimizer, testing::ValuesIn(step_rule_names()),
                         [](const auto& one) { return one.param; });

TEST(StepRules, AreTheChoicesOfTheOption) {
  std::vector<std::string> choices{"auto"};
  for (const std::string& name : step_rule_names()) {
    choices.push_back(name);
    EXPECT_EQ(make_step_rule(name)->name(), name);
  }
  for (const Option& option : option_table()) {
    if (option.name == std::string("optimizer")) {
      EXPECT_EQ(option.choices, choices);
    }
  }
}

}  // namespace
}  // namespace bkernn
