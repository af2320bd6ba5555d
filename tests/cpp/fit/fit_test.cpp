// The whole fit: every shape, every combination, and data it must understand.
#include "bkernn/fit.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bkernn/kernel.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/simulate.hpp"
#include "naive.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

void expect_sound(const FitResult& result, const Matrix& X) {
  EXPECT_TRUE(result.W.allFinite() && result.alpha.allFinite() && result.intercept.allFinite());
  EXPECT_TRUE(std::isfinite(result.report.objective) && std::isfinite(result.regularization));
  EXPECT_GT(result.regularization, 0);
  EXPECT_TRUE(result.model.predict(X).allFinite());
  EXPECT_NO_THROW(result.model.validate());
  EXPECT_LE(result.report.objective, result.report.initial_objective +
                                         1e-8 * std::abs(result.report.initial_objective) + 1e-12);
}

struct Shape {
  Index n, d, m;
};

// Shapes, for all penalties, kernels and step rules. Quasi-Newton steps come after twelve others.
TEST(Fit, AnyShape) {
  Rng rng(1);
  for (const auto [n, d, m] : {Shape{2, 1, 1}, Shape{2, 5, 3}, Shape{3, 1, 10}, Shape{10, 20, 2},
                               Shape{12, 3, 30}, Shape{20, 2000, 4}}) {
    for (const std::string& kernel : kernel_names()) {
      for (const std::string& penalty : penalty_names()) {
        for (const std::string& optimizer : step_rule_names()) {
          FitOptions options = by_rule();
          options.n_particles = m;
          options.kernel = kernel;
          options.penalty = penalty;
          options.optimizer = optimizer;
          options.max_iter = optimizer == "quasi_newton" ? 16 : 4;
          options.tol = 0;
          const Matrix X = rng.normal_matrix(n, d), Y = rng.normal_matrix(n, 1);
          SCOPED_TRACE(kernel + " " + penalty + " " + optimizer + " " + std::to_string(n) + "x" +
                       std::to_string(d));
          expect_sound(fit(X, Y, options), X);
        }
      }
    }
  }
}

TEST(Fit, DegenerateColumnsAndRows) {
  Rng rng(2);
  for (const std::string& loss : loss_names()) {
    for (const std::string& kernel : kernel_names()) {
      FitOptions options = by_rule();
      options.n_particles = 5;
      options.kernel = kernel;
      options.loss = loss;
      options.max_iter = 3;
      Matrix X = rng.normal_matrix(24, 3);
      X.col(1).setConstant(1e5);
      X.bottomRows(12) = X.topRows(12);
      const Matrix Y = naive::targets(loss, X, naive::outputs(loss), rng);
      SCOPED_TRACE(loss + " " + kernel);
      const FitResult result = fit(X, Y, options);
      expect_sound(result, X);
      EXPECT_EQ(result.model.scale(1), 1) << "a constant column is not divided by 0";
      X.setConstant(7);  // nothing to learn from
      expect_sound(fit(X, Y, options), X);
    }
  }
}

TEST(Fit, ACenteredConstantIsZero) {
  Matrix X(9, 2);  // the mean of 0.03 nine times is not 0.03
  X << Vector::Constant(9, -0.03), Vector::LinSpaced(9, -1, 1);
  const FitResult result = fit(X, X.col(1).cwiseAbs(), by_rule());
  EXPECT_EQ(result.model.center(0), -0.03);
}

TEST(Fit, SizesOfTheUnits) {
  Rng rng(3);
  const Matrix X = rng.normal_matrix(30, 2), Y = rng.normal_matrix(30, 1);
  for (const double size : {1e-90, 1e-20, 1e20, 1e90}) {
    for (const bool standardize : {true, false}) {
      FitOptions options = by_rule();
      options.n_particles = 4;
      options.max_iter = 3;
      options.standardize = standardize;
      SCOPED_TRACE(std::to_string(std::log10(size)) + (standardize ? " standardized" : ""));
      const Matrix big_X = size * X, big_Y = size * Y;
      if (standardize) {
        expect_sound(fit(big_X, Y, options), big_X);
        EXPECT_GT(r2_score(Y, fit(big_X, Y, options).model.predict(big_X)), 0.1);
      }
      const FitResult result = fit(X, big_Y, options);
      expect_sound(result, X);
      EXPECT_GT(r2_score(big_Y / size, result.model.predict(X) / size), 0.1);
    }
  }
}

// Every inner solver and every exact operator leads to the same model.
TEST(Fit, WaysToComputeAgree) {
  Rng rng(4);
  const Matrix X = rng.normal_matrix(50, 3), Y = naive::targets("square", X, 2, rng);
  FitOptions options = by_rule();
  options.n_particles = 6;
  options.max_iter = 6;
  options.tol = 0;
  options.inner_tol = 1e-11;
  options.inner_solver = "cholesky";
  options.kernel_operator = "dense";
  const Matrix want = fit(X, Y, options).model.predict(X);
  for (const std::string inner : {"auto", "cg", "cholesky"}) {
    for (const std::string op : {"auto", "sorted", "dense", "knots"}) {
      options.inner_solver = inner;
      options.kernel_operator = op;
      options.knots = op == "knots" ? 50 : 0;
      const FitResult result = fit(X, Y, options);
      EXPECT_LE((result.model.predict(X) - want).norm(), 1e-6 * want.norm()) << inner << " " << op;
      EXPECT_EQ(result.report.kernel_operator, op == "auto" ? "sorted" : op);
    }
  }
}

TEST(Fit, ViewsOfAnyOrderGiveTheSameBits) {
  Rng rng(5);
  const Matrix X = rng.normal_matrix(40, 3), Y = rng.normal_matrix(40, 1);
  FitOptions options = by_rule();
  options.n_particles = 4;
  options.max_iter = 3;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> c_order = X;
  const MatrixView view =
      Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>(c_order.data(), 40,
                                                                                 3, {1, 3});
  EXPECT_TRUE(fit(X, Y, options).W == fit(view, Y, options).W);
}

TEST(Fit, SeedsAreReproducible) {
  Rng rng(6);
  const Matrix X = rng.normal_matrix(40, 3), Y = rng.normal_matrix(40, 1);
  FitOptions options = by_rule();
  options.n_particles = 4;
  options.max_iter = 3;
  const Matrix first = fit(X, Y, options).W;
  EXPECT_TRUE(fit(X, Y, options).W == first);
  options.seed = 1;
  EXPECT_FALSE(fit(X, Y, options).W == first);
}

TEST(Fit, SeveralOutputsShareTheirDirections) {
  Rng rng(7);
  const Matrix X = rng.normal_matrix(60, 3), Y = rng.normal_matrix(60, 1);
  FitOptions options = by_rule();
  options.n_particles = 4;
  options.max_iter = 0;
  options.regularization = 0.05;
  Matrix both(60, 2);
  both << Y, 3 * Y.array() + 1;
  options.standardize = false;
  const Matrix one = fit(X, Y, options).model.predict(X),
               two = fit(X, both, options).model.predict(X);
  EXPECT_LE((two.col(0) - one).norm(), 1e-8 * one.norm());
  EXPECT_LE((two.col(1) - (3 * one.array() + 1).matrix()).norm(), 1e-8 * two.norm());
}

// Does it learn? Held-out error and subspace on data with three relevant directions.
TEST(Fit, FindsTheDirectionsOfAMultiIndexModel) {
  const Simulated data =
      simulate({.kind = "multi_index", .n = 600, .n_test = 500, .d = 8, .noise = 0.1, .seed = 1});
  const FitResult result = fit(data.train.X, data.train.Y, {});
  EXPECT_GT(r2_score(data.test.Y, result.model.predict(data.test.X)), 0.9);
  EXPECT_GT(feature_learning_score(result.model.directions(3), data.P), 0.9);
  EXPECT_TRUE(result.report.inner_converged);
}

TEST(Fit, FindsTheVariablesThatMatter) {
  const Simulated data =
      simulate({.kind = "sine_variables", .n = 400, .d = 10, .k = 2, .noise = 0.05, .seed = 2});
  FitOptions options = by_rule();
  options.penalty = "concave_variable";
  const Vector shares = fit(data.train.X, data.train.Y, options).model.importances();
  EXPECT_GT(shares(0) + shares(1), 0.8) << shares.transpose();
}

}  // namespace
}  // namespace bkernn
