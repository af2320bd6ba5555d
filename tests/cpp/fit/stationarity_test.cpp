// That fits end where nothing is left to gain, judged by dense computations of naive.hpp alone: the
// objective, its gradient, and proximal gradient steps of every length.
#include <gtest/gtest.h>

#include <cmath>

#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/simulate.hpp"
#include "by_rule.hpp"
#include "naive.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

// argmin_u ½(u − r)² + tφ(u), u ≥ 0, for φ(u) = u/2c or log(1 + (s/c)u)/2s. φ′ falls, so that
// u ← r − tφ′(u) comes down to the largest stationary point.
double naive_prox(double r, double t, double c, double s) {
  const auto phi = [&](double u) { return s > 0 ? std::log1p(s / c * u) / (2 * s) : u / (2 * c); };
  const auto slope = [&](double u) { return 1 / (2 * c * (1 + s / c * u)); };
  double u = r;
  for (int i = 0; i < 1000 && u > 0; ++i) u = r - t * slope(u);
  if (u <= 0) return 0;
  return (u - r) * (u - r) / 2 + t * phi(u) < r * r / 2 ? u : 0;
}

Matrix naive_prox(const std::string& name, const Matrix& W, double t, double s) {
  const double m = static_cast<double>(W.cols());
  Matrix U = W;
  const auto shrunk = [&](double r, double c, double by) {
    return r > 0 ? naive_prox(r, t, c, by) / r : 0.0;
  };
  if (name == "basic") {
    for (Index j = 0; j < W.cols(); ++j) U.col(j) *= shrunk(W.col(j).norm(), m, 0);
    return U;
  }
  if (name == "basic_l1")
    return W.unaryExpr([&](double w) { return w * shrunk(std::abs(w), m, 0); });
  const double by = name.starts_with("concave") ? s : 0;
  if (name == "variable" || name == "concave_variable") {
    for (Index a = 0; a < W.rows(); ++a) U.row(a) *= shrunk(W.row(a).norm(), std::sqrt(m), by);
    return U;
  }
  const auto [values, vectors] = naive::left_singular(W);
  Vector factors(values.size());
  for (Index k = 0; k < values.size(); ++k) factors(k) = shrunk(values(k), std::sqrt(m), by);
  return vectors * factors.asDiagonal() * vectors.transpose() * W;
}

// The problem of the paper: square loss, nothing standardized.
struct Dense {
  Matrix X, Y;
  FitOptions options;
  double lambda;

  double objective(const Matrix& W) const {
    return naive::square_optimum(naive::gram(options.kernel, X, W), Y, lambda) +
           lambda * naive::penalty(options.penalty, W, options.concavity);
  }

  // −(λ/2m) Σ_ii' α_i α_i' k′(w_jᵀ(x_i − x_i')) (x_i − x_i').
  Matrix gradient(const Matrix& W) const {
    const Index n = X.rows();
    const Vector alpha =
        naive::square_solution(naive::gram(options.kernel, X, W), Y, Vector::Ones(n), lambda).alpha;
    Matrix sum = Matrix::Zero(W.rows(), W.cols());
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        const Vector x = X.row(i) - X.row(k);
        for (Index j = 0; j < W.cols(); ++j) {
          const double r = x.dot(W.col(j));
          if (r != 0)
            sum.col(j) += alpha(i) * alpha(k) * naive::kernel_slope(options.kernel, r) * x;
        }
      }
    }
    return -lambda / (2 * static_cast<double>(W.cols())) * sum;
  }

  Matrix step(const Matrix& W, const Matrix& slope, double length) const {
    return naive_prox(options.penalty, W - length * slope, length * lambda, options.concavity);
  }

  // By how much the best proximal gradient step lowers the objective, relatively.
  double decrease(const Matrix& W) const {
    const Matrix slope = gradient(W);
    const double now = objective(W), unit = W.squaredNorm() / now;
    double least = now;
    for (double length = 1e-4 * unit; length < 1e3 * unit; length *= 2)
      least = std::min(least, objective(step(W, slope, length)));
    return (now - least) / now;
  }

  // ‖W − prox(W − γ∇G)‖/γ, scale-free, at the length of a step that changes W by its own size.
  double residual(const Matrix& W) const {
    const double now = objective(W), length = W.squaredNorm() / now;
    return (W - step(W, gradient(W), length)).norm() / length * W.norm() / now;
  }
};

Dense three_directions(const std::string& penalty, const std::string& kernel) {
  const Simulated data = simulate({.n = 70, .d = 5, .noise = 0.2, .seed = 4});
  Dense dense{data.train.X, data.train.Y, by_rule(), 0};
  dense.options.penalty = penalty;
  dense.options.kernel = kernel;
  dense.options.n_particles = 8;
  dense.options.standardize = false;
  dense.options.tol = 1e-5;
  dense.options.max_iter = 2000;
  dense.lambda = 3 * automatic_regularization({.X = dense.X, .Y = dense.Y}, dense.options);
  dense.options.regularization = dense.lambda;
  return dense;
}

class Stationary : public testing::TestWithParam<std::string> {};

TEST_P(Stationary, ByDenseComputation) {
  for (const std::string& kernel : kernel_names()) {
    SCOPED_TRACE(kernel);
    Dense dense = three_directions(GetParam(), kernel);
    const FitResult result = fit(dense.X, dense.Y, dense.options);
    EXPECT_TRUE(result.report.converged()) << result.report.brief();
    EXPECT_NEAR(result.report.objective, dense.objective(result.W), 1e-7 * result.report.objective);
    EXPECT_LE(dense.decrease(result.W), 1e-4);
    if (kernel == "gaussian") {  // no kinks
      EXPECT_LE(dense.residual(result.W), 2e-2);
    }
    dense.options.max_iter = 4;
    const FitResult cut = fit(dense.X, dense.Y, dense.options);
    EXPECT_GT(dense.decrease(cut.W), 1e-3) << "an end that is none is seen";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Stationary, testing::ValuesIn(penalty_names()),
                         [](const auto& one) { return one.param; });

// Rows on a lattice, and W₀ along its axes and diagonals: most projections are tied, and W₀ lies
// on kinks of G.
TEST(Kinks, AreLeftWhereProjectionsAreTied) {
  Dense dense = three_directions("feature", "brownian");
  dense.X.resize(64, 3);
  for (Index i = 0; i < 64; ++i)
    dense.X.row(i) << static_cast<double>(i % 4), static_cast<double>(i / 4 % 4),
        static_cast<double>(i / 16);
  dense.Y = ((dense.X.col(0) + dense.X.col(1)).array() - 3).abs() + 0.3 * dense.X.col(2).array();
  dense.options.n_particles = 6;
  dense.options.init.resize(3, 6);
  dense.options.init << 1, 0, 0, 1, 1, 0,  //
      0, 1, 0, -1, 0, 0,                   //
      0, 0, 1, 0, 1, 0;
  const double before = dense.objective(dense.options.init);
  double least = before;
  for (const std::string& rule : step_rule_names()) {
    SCOPED_TRACE(rule);
    dense.options.optimizer = rule;
    const FitResult result = fit(dense.X, dense.Y, dense.options);
    EXPECT_NEAR(result.report.objective, dense.objective(result.W), 1e-7 * before);
    EXPECT_LT(result.report.objective, 0.9 * before);
    EXPECT_TRUE((result.W.col(5).array() == 0).all()) << "zero particles do not move";
    least = std::min(least, result.report.objective);
    if (rule == "quasi_newton") {
      EXPECT_TRUE(result.report.converged()) << result.report.brief();
      EXPECT_LE(dense.decrease(result.W), 1e-3);
    }
  }
  dense.options.optimizer = "quasi_newton";
  EXPECT_LE(fit(dense.X, dense.Y, dense.options).report.objective, 1.01 * least);
}

// All particles on one line, two of them 0.
TEST(LowRank, ParticlesOnALineFindTheirWay) {
  for (const std::string& penalty : penalty_names()) {
    for (const std::string& rule : step_rule_names()) {
      SCOPED_TRACE(penalty + " " + rule);
      Dense dense = three_directions(penalty, "brownian");
      dense.options.optimizer = rule;
      dense.options.max_iter = 40;
      const Vector line = (Vector(5) << 1, -2, 0.5, 0.3, 1).finished();
      const RowVector places = (RowVector(8) << 1, 2, -1, 0, 3, 0.1, 0, -2).finished();
      dense.options.init = line * places;
      const FitResult result = fit(dense.X, dense.Y, dense.options);
      EXPECT_TRUE(result.W.allFinite());
      EXPECT_NEAR(result.report.objective, dense.objective(result.W),
                  1e-7 * result.report.objective);
      EXPECT_LT(result.report.objective, dense.objective(dense.options.init));
      EXPECT_TRUE((result.W.col(3).array() == 0).all() && (result.W.col(6).array() == 0).all());
    }
  }
}

// A fit that ends on a line goes on from there, with a smaller λ.
TEST(LowRank, OneDirectionIsAnEndAndABeginning) {
  Dense dense = three_directions("feature", "brownian");
  const Vector line = Vector::LinSpaced(5, -1, 1);
  dense.Y = (dense.X * line).cwiseAbs();
  dense.lambda = 10 * automatic_regularization({.X = dense.X, .Y = dense.Y}, dense.options);
  dense.options.regularization = dense.lambda;
  const FitResult one = fit(dense.X, dense.Y, dense.options);
  EXPECT_TRUE(one.report.converged());
  const Vector sizes = naive::singular_values(one.W);
  EXPECT_GT(sizes(0), 0);
  EXPECT_LE(sizes(1), 1e-6 * sizes(0));
  EXPECT_LE(dense.decrease(one.W), 1e-4);
  dense.options.init = one.W;
  dense.options.regularization = dense.lambda = 0.1 * dense.lambda;
  const FitResult more = fit(dense.X, dense.Y, dense.options);
  EXPECT_TRUE(more.report.converged());
  EXPECT_LT(more.report.objective, dense.objective(one.W));
}

// Three hidden directions of twenty variables, all defaults.
TEST(Defaults, ConvergeForTenSeedsOfTen) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Simulated data =
        simulate({.kind = "multi_index", .n = 300, .d = 20, .noise = 0.1, .seed = seed});
    FitOptions options;
    options.seed = seed;
    const FitReport report = fit(data.train.X, data.train.Y, options).report;
    EXPECT_TRUE(report.converged()) << report.brief();
    EXPECT_LE(report.promised_decrease, options.tol);
  }
}

}  // namespace
}  // namespace bkernn
