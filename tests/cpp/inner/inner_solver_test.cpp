// The inner problem: stationary, optimal, the same by every method, and honest about what it
// reached.
#include "inner/inner_solver.hpp"

#include <gtest/gtest.h>

#include "naive.hpp"

namespace bkernn {
namespace {

struct Problem {
  Problem(const std::string& loss_name, Index n, bool weighted, LossParameters parameters = {})
      : rng(7), name(loss_name), p(parameters), loss(make_loss(loss_name, parameters)) {
    X = rng.normal_matrix(n, 3);
    W = rng.normal_matrix(3, 4);
    Y = naive::targets(name, X, naive::outputs(name), rng);
    s = Vector::Ones(n);
    if (weighted) s = 0.1 + 2 * rng.uniform_matrix(n, 1).array();
    s *= static_cast<double>(n) / s.sum();
  }

  InnerSolution solve(double lambda, InnerMethod method, double tolerance,
                      const std::string& kernel_name = "brownian") {
    const auto kernel = make_kernel(kernel_name);
    const auto K = make_operator(kernel->markov() ? "sorted" : "dense", X, *kernel);
    K->set_particles(W);
    InnerSolver solver(*loss, Y, s, lambda, method);
    InnerSolution solution;
    solver.solve(*K, tolerance, solution, true);
    used = solver.method_in_use();
    return solution;
  }

  // (1/n) Σ s_i ℓ + (λ/2) tr(αᵀKα), f = Kα + c.
  double value(const Matrix& K, const Matrix& alpha, const RowVector& c, double lambda) const {
    const Matrix F = (K * alpha).rowwise() + c;
    return naive::loss(name, Y, F, s, p) / static_cast<double>(Y.rows()) +
           lambda / 2 * alpha.cwiseProduct(K * alpha).sum();
  }

  // Norm of g + nλα and of 1ᵀα, relative to the gradient of the best constant.
  double residual(const InnerSolution& solution, double lambda) const {
    Matrix gradient, D, at_constant;
    InnerSolver constant(*loss, Y, s, 1, InnerMethod::automatic);
    loss->derivatives(Y, constant.best_constant().replicate(Y.rows(), 1), s, at_constant, D);
    loss->derivatives(Y, solution.F, s, gradient, D);
    const double n = static_cast<double>(Y.rows());
    return ((gradient + n * lambda * solution.alpha).norm() +
            n * lambda * solution.alpha.colwise().sum().norm()) /
           at_constant.norm();
  }

  Rng rng;
  std::string name;
  LossParameters p;
  std::unique_ptr<Loss> loss;
  Matrix X, W, Y;
  Vector s;
  InnerMethod used{};
};

constexpr InnerMethod kMethods[] = {InnerMethod::automatic, InnerMethod::conjugate_gradients,
                                    InnerMethod::cholesky};

class Inner : public testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  Problem problem{std::get<0>(GetParam()),
                  40,
                  std::get<1>(GetParam()),
                  {.quantile = 0.3, .quantile_width = 0.05}};
};

TEST_P(Inner, IsStationaryAndOptimal) {
  for (const std::string& kernel : kernel_names()) {
    const Matrix K = naive::gram(kernel, problem.X, problem.W);
    for (const double lambda : {1e-4, 1e-2, 1.0}) {
      for (const InnerMethod method : kMethods) {
        const InnerSolution found = problem.solve(lambda, method, 1e-9, kernel);
        SCOPED_TRACE(kernel + " " + std::to_string(lambda) + " " +
                     std::to_string(static_cast<int>(method)));
        EXPECT_TRUE(found.converged);
        EXPECT_LE(found.residual, 2e-9);
        EXPECT_LE(problem.residual(found, lambda), 1e-7);
        Matrix shift = found.F - K * found.alpha;
        const RowVector c = shift.colwise().mean();
        EXPECT_LE((shift.rowwise() - c).norm(), 1e-8 * (1 + shift.norm()));
        const double best = problem.value(K, found.alpha, c, lambda);
        EXPECT_NEAR(found.value, best, 1e-9 * (1 + std::abs(best)));
        for (const double size : {1.0, 1e-2, 1e-4}) {
          Matrix direction =
              size * found.alpha.norm() * problem.rng.normal_matrix(40, found.alpha.cols());
          naive::center_columns(direction);
          const RowVector move = size * problem.rng.normal_matrix(1, found.alpha.cols());
          EXPECT_GE(problem.value(K, found.alpha + direction, c + move, lambda), best - 1e-12);
          EXPECT_GE(problem.value(K, found.alpha, c + move, lambda), best - 1e-12);
          EXPECT_GE(problem.value(K, (1 + size) * found.alpha, c, lambda), best - 1e-12);
          EXPECT_GE(problem.value(K, (1 - size) * found.alpha, c, lambda), best - 1e-12);
        }
      }
    }
  }
}

TEST_P(Inner, MethodsAgree) {
  const InnerSolution direct = problem.solve(1e-3, InnerMethod::cholesky, 1e-10);
  for (const InnerMethod method : kMethods) {
    const InnerSolution found = problem.solve(1e-3, method, 1e-10);
    EXPECT_LE((found.F - direct.F).norm(), 1e-6 * direct.F.norm());
    EXPECT_LE((found.alpha - direct.alpha).norm(), 1e-6 * direct.alpha.norm());
    EXPECT_NEAR(found.value, direct.value, 1e-11 * (1 + std::abs(direct.value)));
  }
}

// A loose solution may only be worse, and a warm start changes nothing but the effort.
TEST_P(Inner, LooseSolvesOverestimate) {
  const double tight = problem.solve(1e-3, InnerMethod::cholesky, 1e-10).value;
  for (const double tolerance : {0.3, 1e-2, 1e-4}) {
    const InnerSolution loose = problem.solve(1e-3, InnerMethod::conjugate_gradients, tolerance);
    EXPECT_TRUE(loose.converged);
    EXPECT_LE(problem.residual(loose, 1e-3), 2 * tolerance);
    EXPECT_GE(loose.value, tight - 1e-11 * (1 + std::abs(tight)));
  }
}

// Variables in another order give the same products up to rounding, and so the same solution, even
// where a loose tolerance would allow many. (Without memory the F differ by 10⁻³ to 10⁻¹.)
TEST_P(Inner, RoundingStaysRounding) {
  Problem many{problem.name, 200, std::get<1>(GetParam()), problem.p};
  many.W = many.rng.normal_matrix(3, 8);
  const Matrix F = many.solve(1e-4, InnerMethod::conjugate_gradients, 0.1).F;
  many.X.col(0).swap(many.X.col(2));
  many.W.row(0).swap(many.W.row(2));
  const Matrix again = many.solve(1e-4, InnerMethod::conjugate_gradients, 0.1).F;
  EXPECT_LE((again - F).norm(), 1e-6 * F.norm());
}

INSTANTIATE_TEST_SUITE_P(All, Inner,
                         testing::Combine(testing::ValuesIn(loss_names()), testing::Bool()),
                         [](const auto& one) {
                           return std::get<0>(one.param) +
                                  (std::get<1>(one.param) ? "_weighted" : "");
                         });

TEST(InnerSolverTest, SquareEqualsTheDenseSystem) {
  for (const bool weighted : {false, true}) {
    Problem problem("square", 35, weighted);
    const Matrix K = naive::gram("brownian", problem.X, problem.W);
    const naive::Inner want = naive::square_solution(K, problem.Y, problem.s, 1e-3);
    for (const InnerMethod method : kMethods) {
      const InnerSolution found = problem.solve(1e-3, method, 1e-12);
      EXPECT_LE((found.alpha - want.alpha).norm(), 1e-9 * want.alpha.norm());
      EXPECT_LE((found.F - ((K * want.alpha).rowwise() + want.c)).norm(), 1e-9 * found.F.norm());
      if (!weighted) {
        EXPECT_NEAR(found.value, naive::square_optimum(K, problem.Y, 1e-3), 1e-12);
      }
    }
  }
}

TEST(InnerSolverTest, GeneralisedLossesEqualAnIndependentNewton) {
  for (const std::string name : {"logistic", "multinomial", "poisson"}) {
    for (const bool weighted : {false, true}) {
      Problem problem(name, 30, weighted);
      const Matrix K = naive::gram("brownian", problem.X, problem.W);
      const naive::Inner want = naive::newton_solution(name, K, problem.Y, problem.s, 0.02);
      Matrix F = (K * want.alpha).rowwise() + want.c;
      for (const InnerMethod method : kMethods) {
        const InnerSolution found = problem.solve(0.02, method, 1e-10);
        EXPECT_LE((found.alpha - want.alpha).norm(), 1e-6 * want.alpha.norm()) << name;
        const Matrix mean = problem.loss->response(found.F), same = problem.loss->response(F);
        EXPECT_LE((mean - same).norm(), 1e-6 * same.norm()) << name;
      }
    }
  }
}

// Problems without a finite optimum of the loss, or with one far away: the ridge must hold them, in
// bounded time.
struct Hard {
  std::string name, loss;
  LossParameters p;
  std::function<void(Problem&)> change;

  std::string label() const { return loss + "_" + name; }
  friend std::ostream& operator<<(std::ostream& out, const Hard& one) { return out << one.label(); }
};

std::vector<Hard> hard_cases() {
  const auto nothing = [](Problem&) {};
  const auto separate = [](Problem& one) {
    one.Y.setZero();
    for (Index i = 0; i < one.Y.rows(); ++i) {
      const Index side = one.X(i, 0) > 0 ? 1 : 0;
      if (one.Y.cols() == 1) one.Y(i, 0) = static_cast<double>(side);
      if (one.Y.cols() > 1) one.Y(i, side) = 1;
    }
  };
  const auto single = [](Problem& one) {
    one.Y.setZero();
    one.Y.col(0).setOnes();
  };
  return {
      {"separable", "logistic", {}, separate},
      {"separable_classes", "multinomial", {}, separate},
      {"one_class", "logistic", {}, single},
      {"no_class", "logistic", {}, [](Problem& one) { one.Y.setZero(); }},
      {"one_of_three_classes", "multinomial", {}, single},
      {"no_counts", "poisson", {}, [](Problem& one) { one.Y.setZero(); }},
      {"one_count", "poisson", {}, [](Problem& one) { one.Y = Matrix::Identity(one.Y.rows(), 1); }},
      {"huge_counts", "poisson", {}, [](Problem& one) { one.Y *= 1e9; }},
      {"linear_branch", "huber", {.huber_delta = 1e-8}, nothing},
      {"square_branch", "huber", {.huber_delta = 1e8}, nothing},
      {"low", "quantile", {.quantile = 0.01}, nothing},
      {"high", "quantile", {.quantile = 0.99}, nothing},
      {"narrow", "quantile", {.quantile_width = 1e-5}, nothing},
      {"constant", "square", {}, [](Problem& one) { one.Y.setConstant(3); }},
      {"constant", "huber", {}, [](Problem& one) { one.Y.setConstant(-3); }},
      {"constant", "quantile", {}, [](Problem& one) { one.Y.setConstant(1e6); }},
      {"outlier", "square", {}, [](Problem& one) { one.Y(0, 0) = 1e9; }},
      {"outlier", "huber", {}, [](Problem& one) { one.Y(0, 0) = 1e9; }},
      {"outliers", "huber", {}, [](Problem& one) { one.Y.topRows(25) *= 1e5; }},
      {"light_row", "square", {}, [](Problem& one) { one.s(0) = 1e-12; }}};
}

class HardInner : public testing::TestWithParam<Hard> {};

TEST_P(HardInner, EndsFiniteAndHonest) {
  Problem problem(GetParam().loss, 60, false, GetParam().p);
  GetParam().change(problem);
  const Matrix K = naive::gram("brownian", problem.X, problem.W);
  for (const double lambda : {1e-12, 1e-6, 1e-2}) {
    for (const InnerMethod method : kMethods) {
      const InnerSolution found = problem.solve(lambda, method, 1e-8);
      SCOPED_TRACE(std::to_string(std::log10(lambda)) + " method " +
                   std::to_string(static_cast<int>(method)));
      ASSERT_TRUE(found.alpha.allFinite() && found.F.allFinite() && found.intercept.allFinite());
      ASSERT_TRUE(std::isfinite(found.value) && std::isfinite(found.residual));
      const InnerSolver constant(*problem.loss, problem.Y, problem.s, 1, method);
      const double rounding = 1e-12 * (problem.Y.norm() + 8) / (constant.gradient_scale() * 8);
      if (found.converged) {
        EXPECT_LE(found.residual, 1e-7 + rounding);
        const auto loss = [&](double shift) {
          Matrix F = found.F;
          F.col(0).array() += shift;
          return problem.loss->value(problem.Y, F, problem.s);
        };
        const double unit = problem.loss->scale_equivariant() ? 0 : 1;
        for (const double shift : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
          const double g = constant.gradient_scale();
          const double least = loss(0) - 1e-5 * (loss(0) + 60 * (g * g + unit));
          EXPECT_GE(std::min(loss(-shift), loss(shift)), least) << "another intercept is better";
        }
      }
      EXPECT_LE(found.iterations, 100 * 5000);
      // No worse than the best constant.
      const double start =
          problem.value(K, Matrix::Zero(60, found.alpha.cols()), constant.best_constant(), lambda);
      EXPECT_LE(found.value, start + 1e-9 * (1 + std::abs(start)));
      if (lambda == 1e-2 && method != InnerMethod::conjugate_gradients &&
          GetParam().loss == "square") {
        EXPECT_TRUE(found.converged) << found.residual;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HardInner, testing::ValuesIn(hard_cases()),
                         [](const auto& one) { return one.param.label(); });

// Kδ is nothing but a constant here, and of that rounding makes something.
TEST(InnerSolverTest, ConstantColumnsLeaveTheInterceptAlone) {
  Problem problem("poisson", 19, false);
  problem.X.setConstant(63000);
  problem.W.setConstant(63000);
  problem.Y.setZero();
  problem.Y.topRows(14).setConstant(1000);
  const auto kernel = make_kernel("brownian");
  for (const std::string name : {"dense", "sorted"}) {
    for (const InnerMethod method : kMethods) {
      const auto K = make_operator(name, problem.X, *kernel);
      K->set_particles(problem.W);
      InnerSolver solver(*problem.loss, problem.Y, problem.s, 1e-6, method);
      InnerSolution solution;
      solver.solve(*K, 1e-8, solution, true);
      EXPECT_TRUE(solution.converged) << name;
      EXPECT_NEAR(solution.F.mean(), std::log(14000.0 / 19), 1e-6) << name;
    }
  }
}

// Particles five times as long make K five times as large; a fifth of α then predicts the same.
TEST(InnerSolverTest, ClassesFollowTheScaleOfParticles) {
  for (const std::string loss : {"logistic", "multinomial"}) {
    Problem problem(loss, 200, true);
    const auto kernel = make_kernel("brownian");
    const auto K = make_operator("sorted", problem.X, *kernel);
    InnerSolver solver(*problem.loss, problem.Y, problem.s, 1e-5, InnerMethod::conjugate_gradients);
    InnerSolution warm, cold;
    K->set_particles(10 * problem.W);
    solver.solve(*K, 1e-4, warm);
    K->set_particles(50 * problem.W);
    solver.solve(*K, 1e-2, warm);
    solver.solve(*K, 1e-2, cold);
    EXPECT_LT(4 * warm.iterations, cold.iterations) << loss;
    EXPECT_NEAR(warm.value, cold.value, 0.1 * cold.value) << loss;
  }
}

// Probabilities next to 0 and 1, all of them right: Newton takes them as they are.
TEST(InnerSolverTest, ClassesFarApartTakeFewSteps) {
  Problem problem("logistic", 60, false);
  problem.Y = (problem.X.col(0).array() > 0).cast<double>().matrix();
  for (const double lambda : {1e-3, 1e-5, 1e-7}) {
    const InnerSolution found = problem.solve(lambda, InnerMethod::cholesky, 1e-10);
    EXPECT_TRUE(found.converged) << lambda;
    EXPECT_LE(found.iterations, 40) << lambda;  // one factorization each
    EXPECT_LE(problem.residual(found, lambda), 2e-10) << lambda;
  }
}

// λ so small that conjugate gradients would take for ever, and too many rows to be remembered.
TEST(InnerSolverTest, AutomaticTurnsToCholesky) {
  Problem problem("square", 1100, false);
  const InnerSolution found = problem.solve(1e-12, InnerMethod::automatic, 1e-10);
  EXPECT_EQ(problem.used, InnerMethod::cholesky);
  EXPECT_TRUE(!found.converged || problem.residual(found, 1e-12) <= 1e-6);
  EXPECT_LE(found.residual, 1e-3);
  const InnerSolution forced = problem.solve(1e-12, InnerMethod::conjugate_gradients, 1e-10);
  EXPECT_EQ(problem.used, InnerMethod::conjugate_gradients);
  EXPECT_TRUE(forced.alpha.allFinite());
}

}  // namespace
}  // namespace bkernn
