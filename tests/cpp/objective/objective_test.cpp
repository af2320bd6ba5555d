// The gradient of G(W), for every kernel, loss and operator, against symmetric differences.
#include "objective/dual_objective.hpp"

#include <gtest/gtest.h>

#include "naive.hpp"

namespace bkernn {
namespace {

constexpr double kTight = 1e-10;  // the error of G is of second order in it

struct Case {
  std::string kernel, loss, op;
  Index q;
  bool weighted;

  std::string label() const {
    return kernel + "_" + loss + "_" + op + (weighted ? "_weighted" : "");
  }
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.label(); }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& kernel : kernel_names()) {
    for (const std::string& loss : loss_names()) {
      for (const std::string op : {"sorted", "dense"}) {
        if (op == "sorted" && !make_kernel(kernel)->markov()) continue;
        for (const bool weighted : {false, true}) {
          all.push_back({kernel, loss, op, loss == "square" ? 3 : naive::outputs(loss), weighted});
        }
      }
    }
  }
  return all;
}

Vector weights(Index n, bool weighted, Rng& rng) {
  Vector s = Vector::Ones(n);
  if (weighted) s = 0.2 + 3 * rng.uniform_matrix(n, 1).array();
  return s * (static_cast<double>(n) / s.sum());
}

class GradientOfG : public testing::TestWithParam<Case> {};

TEST_P(GradientOfG, MatchesSymmetricDifferences) {
  const Case one = GetParam();
  Rng rng(11);
  const Index n = 22, d = 3, m = 4;
  const double lambda = 0.02;
  const Matrix X = rng.normal_matrix(n, d);
  Matrix W = rng.normal_matrix(d, m);
  W.col(2).setZero();
  const Matrix Y = naive::targets(one.loss, X, one.q, rng);
  const Vector s = weights(n, one.weighted, rng);
  const auto loss = make_loss(one.loss, {.quantile = 0.7, .quantile_width = 0.3});
  const auto kernel = make_kernel(one.kernel);
  const auto K = make_operator(one.op, X, *kernel);
  InnerSolver inner(*loss, Y, s, lambda, InnerMethod::cholesky);
  DualObjective objective(*K, inner, lambda);

  const double G = objective.evaluate(W, kTight, true);
  EXPECT_TRUE(objective.solution().converged) << objective.solution().residual;
  const Matrix gradient = objective.gradient();
  EXPECT_EQ(gradient.col(2).norm(), 0) << "zero particles do not move";
  const double h = 1e-5;
  Matrix difference = Matrix::Zero(d, m);
  for (Index j = 0; j < m; ++j) {
    if (j == 2) continue;
    for (Index a = 0; a < d; ++a) {
      Matrix right = W, left = W;
      right(a, j) += h;
      left(a, j) -= h;
      difference(a, j) =
          (objective.evaluate(right, kTight, true) - objective.evaluate(left, kTight, true)) /
          (2 * h);
    }
  }
  EXPECT_GT(gradient.norm(), 1e-4 * G);
  EXPECT_LE((gradient - difference).norm(), 1e-5 * gradient.norm()) << gradient << "\n\n"
                                                                    << difference;
}

INSTANTIATE_TEST_SUITE_P(All, GradientOfG, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.label(); });

// Lemmas fixed_K and derivative_of_G, both written out: (λ/2m) Σ_ii' α_i α_i' sign(wᵀ(x_i − x_i'))
// (x_i − x_i')/2.
TEST(Objective, BrownianSquareEqualsTheLemmas) {
  Rng rng(3);
  const Index n = 30, d = 4, m = 5;
  const double lambda = 0.01;
  const Matrix X = rng.normal_matrix(n, d), W = rng.normal_matrix(d, m),
               Y = rng.normal_matrix(n, 1);
  const Vector s = Vector::Ones(n);
  const auto loss = make_loss("square");
  const auto kernel = make_kernel("brownian");
  const Matrix gram = naive::gram("brownian", X, W);
  const Vector alpha = naive::square_solution(gram, Y, s, lambda).alpha;
  Matrix gradient = Matrix::Zero(d, m);
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        const Vector x = X.row(i) - X.row(k);
        const double p = x.dot(W.col(j));
        gradient.col(j) += lambda / (4 * m) * alpha(i) * alpha(k) * ((p > 0) - (p < 0)) * x;
      }
    }
  }
  for (const std::string op : {"sorted", "dense"}) {
    for (const InnerMethod method : {InnerMethod::conjugate_gradients, InnerMethod::cholesky}) {
      const auto K = make_operator(op, X, *kernel);
      InnerSolver inner(*loss, Y, s, lambda, method);
      DualObjective objective(*K, inner, lambda);
      EXPECT_NEAR(objective.evaluate(W, 1e-12, true), naive::square_optimum(gram, Y, lambda),
                  1e-12);
      EXPECT_LE((objective.gradient() - gradient).norm(), 1e-9 * gradient.norm());
    }
  }
}

// The knots are quantiles of the projections and would move with W; the gradient is the one for
// knots that stay. Rows that lie on a knot have the mean of both slopes, which symmetric
// differences see as well.
TEST(Objective, KnotGradientIsThatOfFixedKnots) {
  Rng rng(5);
  const Index n = 40, d = 3, m = 3;
  const double lambda = 0.02, h = 1e-7;
  const Matrix X = rng.normal_matrix(n, d), W = rng.normal_matrix(d, m),
               Y = rng.normal_matrix(n, 2);
  const Vector s = Vector::Ones(n);
  const auto loss = make_loss("square");
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("knots", X, *kernel, 7);
  InnerSolver inner(*loss, Y, s, lambda, InnerMethod::cholesky);
  DualObjective objective(*K, inner, lambda);
  const double G = objective.evaluate(W, 1e-12, true);
  const Matrix gradient = objective.gradient();
  std::vector<Vector> knots;
  for (const RidgeFunction& one : K->functions(objective.solution().alpha))
    knots.push_back(one.knots);

  // Each row is spread over its two neighboring knots, −½|t − t'| between knots.
  const auto optimum = [&](const Matrix& V) {
    Matrix gram = Matrix::Zero(n, n);
    for (Index j = 0; j < m; ++j) {
      const Vector& t = knots[j];
      const Vector p = (X * V.col(j)).cwiseMax(t(0)).cwiseMin(t(t.size() - 1));
      Matrix B = Matrix::Zero(n, t.size()), D(t.size(), t.size());
      for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k + 1 < t.size(); ++k) {
          const double u = (p(i) - t(k)) / (t(k + 1) - t(k));
          if (u < 0 || u > 1) continue;
          B.row(i).setZero();
          B(i, k) = 1 - u;
          B(i, k + 1) = u;
        }
      }
      for (Index k = 0; k < t.size(); ++k) {
        for (Index l = 0; l < t.size(); ++l) D(k, l) = -std::abs(t(k) - t(l)) / 2;
      }
      gram += B * D * B.transpose() / static_cast<double>(m);
    }
    return naive::square_optimum(gram, Y, lambda);
  };
  EXPECT_NEAR(G, optimum(W), 1e-11);
  Matrix difference(d, m);
  for (Index j = 0; j < m; ++j) {
    for (Index a = 0; a < d; ++a) {
      Matrix right = W, left = W;
      right(a, j) += h;
      left(a, j) -= h;
      difference(a, j) = (optimum(right) - optimum(left)) / (2 * h);
    }
  }
  EXPECT_LE((gradient - difference).norm(), 1e-5 * gradient.norm()) << gradient << "\n\n"
                                                                    << difference;
}

TEST(Objective, StartsFromTheKeptSolution) {
  Rng rng(8);
  const Matrix X = rng.normal_matrix(60, 3), W = rng.normal_matrix(3, 4),
               Y = rng.normal_matrix(60, 1);
  const Vector s = Vector::Ones(60);
  const auto loss = make_loss("square");
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", X, *kernel);
  InnerSolver inner(*loss, Y, s, 0.01, InnerMethod::conjugate_gradients);
  DualObjective objective(*K, inner, 0.01);
  const double cold = objective.evaluate(W, 1e-10);
  const int iterations = objective.inner_iterations();
  objective.keep();
  const double warm = objective.evaluate(W, 1e-10);
  EXPECT_LE(objective.inner_iterations(), iterations + 1);
  EXPECT_NEAR(cold, warm, 1e-12 * cold);
  EXPECT_EQ(objective.evaluations(), 2);

  DualObjective other(*K, inner, 0.01);
  other.restore(W, objective.save());
  other.count_from(7, 9);
  EXPECT_EQ(other.gradient(), objective.gradient());
  EXPECT_EQ(other.evaluations(), 7);
  EXPECT_EQ(other.inner_iterations(), 9);
}

}  // namespace
}  // namespace bkernn
