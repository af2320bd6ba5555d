// The objective on knots: against the exact one where the knots are all projections, and against a
// dense oracle elsewhere.
#include "objective/knot_objective.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "naive.hpp"
#include "objective/dual_objective.hpp"
#include "rows/shard.hpp"

namespace bkernn {
namespace {

struct Problem {
  Problem(const std::string& loss_name, Index n, Index d, Index m)
      : loss(make_loss(loss_name)), X(rng.normal_matrix(n, d)), W(rng.normal_matrix(d, m)) {
    X = X.cast<float>().cast<double>();
    Y = naive::targets(loss_name, X, naive::outputs(loss_name), rng);
    s = Vector::Ones(n) + 0.5 * rng.uniform_matrix(n, 1).col(0);
    s *= static_cast<double>(n) / s.sum();
  }

  KnotObjective objective(Shards& shards, Index knots, double lambda) const {
    StandardRows all{X, Y, s};
    return {shards, X.rows(), std::move(all), *loss, lambda, knots};
  }

  Rng rng{3};
  std::unique_ptr<Loss> loss;
  Matrix X, W, Y;
  Vector s;
};

class KnotLoss : public testing::TestWithParam<std::string> {};

// Projections are kept in single precision here, hence the tolerances.
TEST_P(KnotLoss, WithAllProjectionsAsKnotsItIsTheExactObjective) {
  const Problem problem(GetParam(), 60, 3, 4);
  const double lambda = 0.01;
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", problem.X, *kernel);
  InnerSolver inner(*problem.loss, problem.Y, problem.s, lambda, InnerMethod::cholesky);
  DualObjective exact(*K, inner, lambda);
  Shard shard(problem.X, problem.Y, problem.s, *problem.loss);
  KnotObjective knots = problem.objective(shard, 60, lambda);
  Matrix W = problem.W;
  W.col(1).setZero();
  const double want = exact.evaluate(W, 1e-10, true);
  EXPECT_NEAR(knots.evaluate(W, 1e-10, true), want, 1e-6 * want);
  EXPECT_TRUE(knots.inner().converged);
  EXPECT_NEAR(knots.gradient_scale(), exact.gradient_scale(), 1e-7 * exact.gradient_scale());
  const Matrix gradient = exact.gradient();
  EXPECT_LE((knots.gradient() - gradient).norm(), 1e-4 * gradient.norm());
  EXPECT_LE((knots.alpha() - exact.alpha()).norm(), 1e-4 * exact.alpha().norm());
  const Matrix Z = Rng(9).normal_matrix(20, 3), F = exact.predict(Z);
  EXPECT_LE((knots.predict(Z) - F).norm(), 1e-4 * F.norm());
}

INSTANTIATE_TEST_SUITE_P(All, KnotLoss, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

// f = B θ + c with penalty (λ/2) m Σ θᵀP θ, written out.
TEST(KnotObjective, EqualsTheDenseSystem) {
  const Problem problem("square", 300, 3, 5);
  const double lambda = 0.01, n = 300;
  Shard shard(problem.X, problem.Y, problem.s, *problem.loss);
  KnotObjective knots = problem.objective(shard, 9, lambda);
  const double value = knots.evaluate(problem.W, 1e-11, true);
  const std::vector<RidgeFunction> functions = knots.functions();
  Index unknowns = 1;
  for (const RidgeFunction& h : functions) {
    EXPECT_LE(h.knots.size(), 9);
    unknowns += h.knots.size();
  }
  Matrix B = Matrix::Zero(300, unknowns), A = Matrix::Zero(unknowns, unknowns);
  B.col(0).setOnes();
  Index first = 1;
  for (std::size_t j = 0; j < functions.size(); ++j) {
    const Vector& t = functions[j].knots;
    for (Index i = 0; i < 300; ++i) {
      const double p = problem.X.row(i).dot(problem.W.col(static_cast<Index>(j)));
      for (Index k = 0; k + 1 < t.size(); ++k) {
        const double u = (p - t(k)) / (t(k + 1) - t(k));
        if ((u < 0 && k > 0) || (u > 1 && k + 2 < t.size())) continue;
        B.row(i).segment(first, t.size()).setZero();
        B(i, first + k) = 1 - u;
        B(i, first + k + 1) = u;
      }
    }
    for (Index k = 0; k + 1 < t.size(); ++k) {
      Vector spring = Vector::Zero(unknowns);
      spring(first + k) = -1;
      spring(first + k + 1) = 1;
      A += n * lambda * 5 / (t(k + 1) - t(k)) * spring * spring.transpose();
    }
    first += t.size();
  }
  A += B.transpose() * problem.s.asDiagonal() * B;
  A += 1e-9 * Matrix::Identity(unknowns, unknowns);  // constants of the functions
  const Vector y = problem.Y.col(0),
               f = B * naive::solve(A, B.transpose() * problem.s.asDiagonal() * y);
  EXPECT_LE((knots.predict(problem.X).col(0) - f).norm(), 1e-5 * f.norm());
  const double loss = 0.5 * problem.s.dot((y - f).cwiseAbs2());
  EXPECT_GT(value, loss / n);
}

// More knots than the factorized system has: what it does not see is left to the tridiagonal
// blocks.
TEST(KnotObjective, FewProductsWithManyKnots) {
  const Problem problem("square", 20000, 5, 12);
  Shard shard(problem.X, problem.Y, problem.s, *problem.loss);
  for (const Index count : {20, 100, 400}) {
    KnotObjective knots = problem.objective(shard, count, 1e-4);
    knots.evaluate(problem.W, 1e-9, true);
    EXPECT_TRUE(knots.inner().converged) << knots.inner().residual;
    EXPECT_LE(knots.inner().iterations, 40) << count;
    FitReport report;
    knots.describe(report);
    EXPECT_LE(report.coarse_unknowns, std::min<Index>(3200, 12 * (count - 1)));
  }
}

}  // namespace
}  // namespace bkernn
