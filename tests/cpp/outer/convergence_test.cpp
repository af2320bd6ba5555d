// What `converged` means: on functions whose minimum is known, and for fits by another optimizer
// that goes on from their W.
#include <gtest/gtest.h>

#include "bkernn/fit.hpp"
#include "bkernn/simulate.hpp"
#include "by_rule.hpp"
#include "outer/optimizer.hpp"
#include "outer/stages.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

// G(W) = ½ Σ h (W − A)², h from 1 to 1000, and with `kink` Σ |W − A| besides. λ = 1.
class KnownMinimum final : public Objective {
 public:
  KnownMinimum(Index d, Index m, double kink) : Objective(1), kink_(kink) {
    A = Matrix::NullaryExpr(
        d, m, [](Index i, Index j) { return std::sin(static_cast<double>(3 * i + 7 * j) + 1); });
    h = Matrix::NullaryExpr(d, m, [&](Index i, Index j) {
      return std::pow(10.0, 3.0 * static_cast<double>(i + d * j) / static_cast<double>(d * m));
    });
  }
  Matrix gradient() override { return h.cwiseProduct(W_ - A) + kink_ * (W_ - A).cwiseSign(); }
  void keep() override {}
  InnerState save() const override {
    return {.unknowns = Matrix::Zero(1, 1), .intercept = RowVector::Zero(1)};
  }
  void restore(const Matrix& W, const InnerState&) override { W_ = W; }
  RowVector intercept() const override { return RowVector::Zero(1); }
  std::vector<RidgeFunction> functions() const override { return {}; }
  Matrix predict(const Matrix& Z) const override { return Matrix::Zero(Z.rows(), 1); }
  Matrix alpha() const override { return {}; }
  Index rows() const override { return n; }
  void describe(FitReport&) const override {}
  double gradient_scale() const override { return 1; }

  Matrix A, h;
  Index n = 10000;
  std::vector<double> tolerances;  // of all evaluations

 protected:
  Inner solve(const Matrix& W, double tolerance, bool) override {
    W_ = W;
    tolerances.push_back(tolerance);
    const double value =
        0.5 * h.cwiseProduct((W - A).cwiseAbs2()).sum() + kink_ * (W - A).cwiseAbs().sum() + 1;
    return {value, 0, 1, true};
  }

 private:
  double kink_;
  Matrix W_;
};

struct Ended {
  Matrix W;
  FitReport report;
};

Ended run(KnownMinimum& G, const std::string& rule, const std::string& penalty, double weight,
          double tol) {
  OptimizerState state;
  state.W = Matrix::Constant(G.A.rows(), G.A.cols(), 0.3);
  Ended ended;
  minimize(G, *make_penalty(penalty),
           {.step_rule = rule, .penalty_weight = weight, .max_iter = 2000, .tol = tol}, {}, nullptr,
           state, ended.report);
  ended.W = state.W;
  return ended;
}

TEST(Converged, IsAtTheMinimumOfAQuadratic) {
  for (const std::string rule : {"quasi_newton", "spectral"}) {
    KnownMinimum G(3, 4, 0);
    const Ended ended = run(G, rule, "feature", 0, 1e-6);
    EXPECT_EQ(ended.report.termination, Termination::converged) << rule;
    EXPECT_LE(ended.report.promised_decrease, 1e-6);
    EXPECT_LT(ended.report.objective, 1 + 1e-4) << rule;
  }
}

// argmin ½h(w − a)² + t|w| = sign(a)(|a| − t/h)₊ for each number, t = weight/2m.
TEST(Converged, IsAtTheMinimumWithAPenalty) {
  for (const std::string rule : {"quasi_newton", "spectral"}) {
    KnownMinimum G(3, 4, 0);
    const double t = 2;
    const Ended ended = run(G, rule, "basic_l1", t * 2 * 4, 1e-8);
    const Matrix size = (G.A.cwiseAbs() - t * G.h.cwiseInverse()).cwiseMax(0.0);
    const Matrix want = G.A.cwiseSign().cwiseProduct(size);
    EXPECT_EQ(ended.report.termination, Termination::converged) << rule;
    EXPECT_LE((ended.W - want).cwiseAbs().maxCoeff(), 2e-3) << rule;
    EXPECT_EQ((ended.W.array() == 0).count(), (want.array() == 0).count()) << rule;
  }
}

// The minimum lies on kinks, where no gradient is small. The way there may end before a proof, but
// never with a wrong one.
TEST(Converged, IsNotSaidFarFromAMinimumOnKinks) {
  for (const double kink : {0.01, 1.0, 30.0}) {
    KnownMinimum G(3, 4, kink);
    const Ended ended = run(G, "quasi_newton", "feature", 0, 1e-4);
    if (ended.report.converged()) {
      EXPECT_LT(ended.report.objective, 1.01) << kink;
    }
    EXPECT_LT(ended.report.objective, 1.2) << kink;
  }
}

TEST(Converged, IsNotSaidOfAFitThatWasCutShort) {
  const Simulated data = simulate({.n = 200, .d = 5, .noise = 0.1, .seed = 2});
  for (const std::string& rule : step_rule_names()) {
    FitOptions options = by_rule();
    options.optimizer = rule;
    options.n_particles = 10;
    options.max_iter = 4;
    const FitReport report = fit(data.train.X, data.train.Y, options).report;
    EXPECT_EQ(report.termination, Termination::max_iterations) << rule;
    EXPECT_FALSE(report.converged());
    EXPECT_GT(report.promised_decrease, options.tol) << rule;
    EXPECT_NE(report.brief().find("not converged"), std::string::npos);
  }
}

class ConvergedFit : public testing::TestWithParam<std::string> {};

// Spectral steps with accurate inner solutions, 300 of them, from where the fit ended.
TEST_P(ConvergedFit, LeavesLittleToAnotherOptimizer) {
  const Simulated data = simulate({.n = 250, .d = 6, .noise = 0.2, .seed = 3});
  FitOptions options = by_rule();
  options.penalty = GetParam();
  options.n_particles = 12;
  options.tol = 1e-5;
  options.max_iter = 2000;
  const FitInput input{.X = data.train.X, .Y = data.train.Y};
  options.regularization = 3 * automatic_regularization(input, options);
  const FitResult result = fit(input, options);
  EXPECT_TRUE(result.report.converged()) << result.report.brief();
  EXPECT_LE(result.report.promised_decrease, 1e-5);
  options.optimizer = "spectral";
  options.init = result.W;
  options.tol = 0;
  options.max_iter = 300;
  options.inner_tol = 1e-8;
  const FitResult further = fit(input, options);
  EXPECT_GE(further.report.objective, (1 - 3e-3) * result.report.objective);
}

INSTANTIATE_TEST_SUITE_P(All, ConvergedFit, testing::ValuesIn(penalty_names()),
                         [](const auto& one) { return one.param; });

// A stage begins with a loose solution. Of many rows its first step is judged by what the model at
// its beginning promises: a loose trial could look worse than W, and six of them would be made in
// vain.
TEST(Convergence, AStageOfManyRowsTriesItsFirstStepAsTightlyAsItsPromiseAsks) {
  KnownMinimum G(6, 4, 0);
  const auto penalty = make_penalty("feature");
  OptimizerOptions options{.tol = 1e-3};
  OptimizerState state;
  state.W = 3 * G.A;
  FitReport report;
  options.finish = false;
  minimize(G, *penalty, options, {}, nullptr, state, report);
  state = next_stage(state, state.W);
  KnownMinimum more(6, 4, 0);
  more.A *= 1.2;
  more.n = 50001;
  options.few_steps = true;
  minimize(more, *penalty, options, {}, nullptr, state, report);
  ASSERT_GE(more.tolerances.size(), 2);
  EXPECT_GE(more.tolerances[0], 1e-2);
  EXPECT_LE(more.tolerances[1], 1e-3);
}

}  // namespace
}  // namespace bkernn
