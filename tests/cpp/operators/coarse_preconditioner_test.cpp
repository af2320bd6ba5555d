// The preconditioner: the inverse it claims to be, fewer products with it, and the same solution.
#include "operators/coarse_preconditioner.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include "bkernn/fit.hpp"
#include "bkernn/simulate.hpp"
#include "inner/inner_solver.hpp"
#include "naive.hpp"
#include "operators/kernel_operator.hpp"
#include "outer/optimizer_state.hpp"
#include "stop_at.hpp"

namespace bkernn {
namespace {

struct Rows {
  Rows(Index n, Index particles) {
    Rng rng(3);
    X = rng.normal_matrix(n, 3);
    W = rng.normal_matrix(3, particles);
    if (particles > 2) W.col(1).setZero();
    D = 0.2 + rng.uniform_matrix(n, 1).array();
    r = rng.normal_matrix(n, 2);
    const Vector root = D.cwiseSqrt();
    r -= root * (root.transpose() * r) / root.squaredNorm();
  }
  Matrix X, W, r;
  Vector D;
};

// What is left of the system after preconditioning is well conditioned: eigenvalues from 1 up to
// what the bridges add.
TEST(CoarsePreconditioner, LeavesAWellConditionedSystem) {
  const Rows rows(60, 3);
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", rows.X, *kernel);
  K->set_particles(rows.W);
  const double ridge = 1e-2;
  CoarsePreconditioner M(*K, rows.D, ridge);
  const Vector root = rows.D.cwiseSqrt();
  const Matrix onto = Matrix::Identity(60, 60) - root * root.transpose() / root.squaredNorm();
  Matrix A, inverse;
  K->apply(root.asDiagonal() * onto, A);
  A = onto * root.asDiagonal() * A + ridge * onto;
  M.apply(onto, inverse);
  // Symmetric M⁻¹ = RRᵀ: M⁻¹A has the eigenvalues of RᵀAR.
  const auto largest_and_smallest = [](const Matrix& matrix) {
    const Vector values = naive::symmetric_eigenvalues(matrix);
    return std::pair(values(59), values(1));  // values(0) belongs to the constant
  };
  const auto [plain_high, plain_low] = largest_and_smallest(A);
  EXPECT_GT(plain_high / plain_low, 500);
  const Matrix R = naive::symmetric_root(inverse);
  const auto [high, low] = largest_and_smallest(R * A * R);
  EXPECT_GT(low, 0.99);
  EXPECT_LT(high, 40);
}

// With few knots it is the exact inverse of another system: symmetric, positive, at most 1/nλ, and
// 1/nλ on what the coarse functions do not see.
TEST(CoarsePreconditioner, IsSymmetricAndBetweenItsBounds) {
  const Rows rows(40, 3);
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", rows.X, *kernel);
  K->set_particles(rows.W);
  const double ridge = 20;
  CoarsePreconditioner M(*K, rows.D, ridge);
  EXPECT_LE(M.unknowns(), 12);
  const Vector root = rows.D.cwiseSqrt();
  Matrix basis = Matrix::Identity(40, 40), inverse;
  basis -= root * root.transpose() / root.squaredNorm();
  M.apply(basis, inverse);
  EXPECT_LE((inverse - inverse.transpose()).norm(), 1e-10);
  const Vector values = naive::symmetric_eigenvalues(inverse);
  EXPECT_GE(values(0), -1e-12);
  EXPECT_LE(values(39), 1 / ridge + 1e-12);
  EXPECT_GE((values.array() > 1 / ridge - 1e-10).count(), 40 - 1 - M.unknowns());
  EXPECT_LT(values(1), 0.9 / ridge);
}

class PreconditionedLoss : public testing::TestWithParam<std::string> {};

TEST_P(PreconditionedLoss, ReachesTheSameSolution) {
  Rng rng(5);
  const Index n = 400;
  const Matrix X = rng.normal_matrix(n, 3);
  const Matrix W = 5 * rng.normal_matrix(3, 6);
  const Matrix Y = naive::targets(GetParam(), X, naive::outputs(GetParam()), rng);
  const Vector s = Vector::Ones(n);
  const auto kernel = make_kernel("brownian");
  const auto loss = make_loss(GetParam());
  const auto K = make_operator("sorted", X, *kernel);
  K->set_particles(W);
  const auto solve = [&](Preconditioning with) {
    InnerSolver solver(*loss, Y, s, 1e-2 / static_cast<double>(n), InnerMethod::conjugate_gradients,
                       with);
    InnerSolution solution;
    solver.solve(*K, 1e-9, solution, true);
    EXPECT_EQ(solver.coarse_unknowns() > 0, with == Preconditioning::always && !loss->coupled());
    return solution;
  };
  const InnerSolution plain = solve(Preconditioning::never), fast = solve(Preconditioning::always);
  EXPECT_TRUE(fast.converged);
  EXPECT_LE((plain.F - fast.F).norm(), 1e-5 * plain.F.norm());
  EXPECT_NEAR(plain.value, fast.value, 1e-7 * std::abs(plain.value));
  if (!loss->coupled()) {
    EXPECT_LT(fast.iterations, plain.iterations / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreconditionedLoss, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

TEST(CoarsePreconditioner, IsMadeWhenASolveTakesLong) {
  const Simulated data = simulate({.kind = "multi_index", .n = 3100, .d = 5, .seed = 2});
  FitOptions options = by_rule();
  options.max_iter = 1;
  options.n_particles = 10;
  options.regularization = 1e-7;
  options.inner_solver = "cg";
  const Index unknowns = fit(data.train.X, data.train.Y, options).report.coarse_unknowns;
  EXPECT_GT(unknowns, 0);
  EXPECT_LE(unknowns, 400);  // a factorization that costs no more than the products it saves
  options.preconditioner = "never";
  EXPECT_EQ(fit(data.train.X, data.train.Y, options).report.coarse_unknowns, 0);
}

// The next iteration begins with the preconditioner of the one before, made again where it was
// made.
TEST(CoarsePreconditioner, IsTheSameAfterResuming) {
  const Simulated data = simulate({.kind = "multi_index", .n = 3100, .d = 5, .seed = 2});
  const FitInput input{.X = data.train.X, .Y = data.train.Y};
  FitOptions options = by_rule();
  options.max_iter = 2;
  options.n_particles = 5;
  options.regularization = 1e-6;
  options.inner_tol = 1e-8;
  const FitResult whole = fit(input, options);
  StopAt stop(1);
  fit(input, options, &stop);
  ASSERT_GT(stop.state.inside().inner.coarse_W.size(), 0);
  FitInput again = input;
  again.resume = &stop.state;
  const FitResult resumed = fit(again, options);
  EXPECT_EQ(resumed.report.inner_iterations, whole.report.inner_iterations);
  EXPECT_EQ(resumed.alpha, whole.alpha);
}

}  // namespace
}  // namespace bkernn
