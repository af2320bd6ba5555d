// Facts about the function space of the paper (section "space_of_functions"), checked on fits.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/rng.hpp"
#include "bkernn/baselines.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/simulate.hpp"
#include "by_rule.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {
namespace {

// Ω₀(f) ≤ (1/m) Σ_j ‖g_j‖, f = c + (1/m) Σ_j g_j(u_jᵀz) with ‖u_j‖ = 1: g_j(p) = h_j(‖w_j‖ p), so
// ‖g_j‖² = ‖w_j‖ ∫ h_j'², and h_j is piecewise linear.
double penalty_of(const Model& model, bool l1) {
  double sum = 0;
  for (Index j = 0; j < model.W.cols(); ++j) {
    const RidgeFunction& h = model.functions[j];
    double energy = 0;
    for (Index k = 1; k < h.knots.size(); ++k) {
      const double rise = h.values(k, 0) - h.values(k - 1, 0);
      energy += rise * rise / (h.knots(k) - h.knots(k - 1));
    }
    const double norm = l1 ? model.W.col(j).lpNorm<1>() : model.W.col(j).norm();
    sum += std::sqrt(norm * energy);
  }
  return sum / static_cast<double>(model.n_particles);
}

// Lemma "caracterisation_f_infty": |f(x) − f(x')| ≤ Ω₀(f) √‖x − x'‖*, in the coordinates z.
TEST(FunctionSpace, EveryFitIsHoelderWithItsPenaltyAsConstant) {
  for (const char* loss : {"square", "logistic", "quantile"}) {
    const bool classes = std::string(loss) == "logistic";
    const Simulated data =
        simulate({.kind = classes ? "logistic" : "multi_index", .n = 150, .n_test = 150, .d = 4});
    for (const char* penalty : {"basic", "feature", "concave_variable"}) {
      FitOptions options = by_rule();
      options.loss = loss;
      options.penalty = penalty;
      options.n_particles = 12;
      options.max_iter = 30;
      const Model model = fit(data.train.X, data.train.Y, options).model;
      const double omega2 = penalty_of(model, false), omega1 = penalty_of(model, true);
      ASSERT_GT(omega2, 0);
      EXPECT_GE(omega1, omega2);

      Rng rng(1);
      double largest = 0;
      for (const double distance : {1e-6, 1e-3, 0.1, 1.0, 10.0}) {
        const Matrix step = distance * rng.normal_matrix(150, 4);
        const Matrix difference = model.predict(data.test.X) - model.predict(data.test.X + step);
        const Matrix dz = step * model.scale.cwiseInverse().asDiagonal();
        for (Index i = 0; i < 150; ++i) {
          const double change = std::abs(difference(i, 0));
          EXPECT_LE(change, omega2 * std::sqrt(dz.row(i).norm()) + 1e-12);
          EXPECT_LE(change, omega1 * std::sqrt(dz.row(i).lpNorm<Eigen::Infinity>()) + 1e-12);
          largest = std::max(largest, change / (omega2 * std::sqrt(dz.row(i).norm())));
        }
      }
      EXPECT_GT(largest, 0.02);  // the constant is not absurdly large
    }
  }
}

// In one dimension K = a K^(1), a = (1/m) Σ|w_j|, so f minimizes
//   (1/2n) Σ (y_i − f(x_i))² + (λ/2a) ∫ f'²:
// the linear smoothing spline, a tridiagonal system in its values at the knots.
TEST(FunctionSpace, OneDimensionalFitIsTheLinearSmoothingSpline) {
  const Simulated data = simulate({.kind = "wave", .n = 80, .n_test = 200, .d = 1});
  FitOptions options = by_rule();
  options.standardize = false;
  options.n_particles = 7;
  options.regularization = 0.003;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  const double a = result.W.cwiseAbs().sum() / 7;
  ASSERT_GT(a, 0);

  std::vector<Index> order(80);
  std::iota(order.begin(), order.end(), Index{0});
  const auto x = data.train.X.col(0);
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return x(i) < x(j); });
  Matrix system = Matrix::Identity(80, 80) / 80;
  Vector right(80);
  for (Index k = 0; k < 80; ++k) right(k) = data.train.Y(order[k], 0) / 80;
  for (Index k = 0; k + 1 < 80; ++k) {
    const double stiffness = 0.003 / a / (x(order[k + 1]) - x(order[k]));
    system(k, k) += stiffness;
    system(k + 1, k + 1) += stiffness;
    system(k, k + 1) -= stiffness;
    system(k + 1, k) -= stiffness;
  }
  const Vector spline = Eigen::LDLT<Matrix>(system).solve(right);
  const Vector fitted = result.model.predict(data.train.X).col(0);
  for (Index k = 0; k < 80; ++k) EXPECT_NEAR(fitted(order[k]), spline(k), 1e-7);

  // Between the knots a straight line, beyond them constant.
  for (Index k = 0; k + 1 < 80; ++k) {
    const Matrix middle = Matrix::Constant(1, 1, 0.5 * (x(order[k]) + x(order[k + 1])));
    EXPECT_NEAR(result.model.predict(middle)(0, 0), 0.5 * (spline(k) + spline(k + 1)), 1e-7);
  }
  EXPECT_NEAR(result.model.predict(Matrix::Constant(1, 1, 50))(0, 0), spline(79), 1e-7);

  // Kernel ridge regression with the Brownian kernel says the same.
  const BrownianKernelRidge ridge = BrownianKernelRidge::fit(data.train.X, data.train.Y, 0.003 / a);
  EXPECT_LT((ridge.predict(data.test.X) - result.model.predict(data.test.X)).cwiseAbs().maxCoeff(),
            1e-6);
}

TEST(FunctionSpace, KernelIsPositivelyHomogeneous) {
  Rng rng(2);
  const Matrix X = rng.normal_matrix(60, 3), W = rng.normal_matrix(3, 5);
  Matrix V = rng.normal_matrix(60, 2);
  V.rowwise() -= V.colwise().mean().eval();
  const std::unique_ptr<Kernel> brownian = make_kernel("brownian");
  for (const char* name : {"sorted", "dense", "knots"}) {
    const std::unique_ptr<KernelOperator> K = make_operator(name, X, *brownian, 60);
    Matrix one, scaled, mirrored;
    K->set_particles(W);
    K->apply(V, one);
    const Matrix gradient = K->particle_gradient(V);
    // Euler: the quadratic form is its own directional derivative along W.
    EXPECT_NEAR(W.cwiseProduct(gradient).sum(), 0.5 * V.cwiseProduct(one).sum(), 1e-9) << name;
    for (const double t : {1e-3, 2.0, 1e4}) {
      K->set_particles(t * W);
      K->apply(V, scaled);
      const Matrix difference = scaled - t * one;
      const Matrix centered = difference.rowwise() - difference.colwise().mean();
      EXPECT_LT(centered.cwiseAbs().maxCoeff(), 1e-11 * t * one.cwiseAbs().maxCoeff()) << name;
    }
    K->set_particles(-W);
    K->apply(V, mirrored);
    const Matrix difference = mirrored - one;
    EXPECT_LT((difference.rowwise() - difference.colwise().mean()).cwiseAbs().maxCoeff(), 1e-10)
        << name;
  }
}

// K(tW) + n(tλ) = t (K(W) + nλ): f depends on W and λ through W/λ.
TEST(FunctionSpace, ScalingParticlesAndRegularizationTogetherChangesNothing) {
  const Simulated data = simulate({.kind = "multi_index", .n = 100, .d = 3});
  FitOptions options = by_rule();
  options.max_iter = 0;
  options.n_particles = 6;
  Rng rng(3);
  const Matrix W = rng.normal_matrix(3, 6);
  options.init = W;
  options.regularization = 0.01;
  const Matrix one = fit(data.train.X, data.train.Y, options).model.predict(data.train.X);
  options.init = 5 * W;
  options.regularization = 0.05;
  const Matrix scaled = fit(data.train.X, data.train.Y, options).model.predict(data.train.X);
  EXPECT_LT((one - scaled).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Dimension, CountsWhatMatters) {
  Model model;
  model.center = RowVector::Zero(4);
  model.n_particles = 3;
  EXPECT_EQ(model.dimension(), 0);
  model.W = Matrix::Zero(4, 3);
  model.W(0, 0) = 2;
  model.W(1, 1) = 1;
  model.W(2, 2) = 0.15;
  for (const char* penalty : {"feature", "variable"}) {
    model.penalty = penalty;
    EXPECT_EQ(model.dimension(), 2) << penalty;
    EXPECT_EQ(model.dimension(0.05), 3) << penalty;
    EXPECT_EQ(model.dimension(0), 3) << penalty;
  }
  model.W.row(1) = model.W.row(0);  // two variables, one direction
  model.W.row(2).setZero();
  EXPECT_EQ(model.dimension(), 2);
  model.penalty = "feature";
  EXPECT_EQ(model.dimension(), 1);
  EXPECT_THROW(model.dimension(1), InvalidArgument);
}

TEST(Dimension, IsFoundOnSimulatedData) {
  struct Case {
    const char *kind, *penalty;
    Index k, found;
  };
  for (const Case& one : {Case{"abs_variables", "concave_variable", 3, 3},
                          Case{"abs_variables", "concave_feature", 3, 3},
                          Case{"abs_sum", "concave_feature", 3, 1},  // |Σ z_a|: one direction
                          Case{"sine_variables", "variable", 3, 3}}) {
    const Simulated data = simulate({.kind = one.kind, .n = 300, .d = 8, .k = one.k});
    FitOptions options = by_rule();
    options.n_particles = 15;
    options.max_iter = 60;
    options.penalty = one.penalty;
    const FitInput input{.X = data.train.X, .Y = data.train.Y};
    options.regularization = 4 * automatic_regularization(input, options);
    EXPECT_EQ(fit(input, options).model.dimension(), one.found) << one.kind << " " << one.penalty;
  }
}

}  // namespace
}  // namespace bkernn
