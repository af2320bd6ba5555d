// Ill-conditioned problems against the same system solved with 113 bits: what the errors of α and
// of the predictions are, and that they stay within what the condition of the system explains.
#include <gtest/gtest.h>

#include <cstdio>

#include "inner/inner_solver.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

__extension__ typedef __float128 Quad;
using Row = std::vector<Quad>;

Quad size_of(Quad value) {
  return value < 0 ? -value : value;
}

// k(p_i, p_i') averaged over particles, from projections that are not rounded to double.
std::vector<Row> gram(const Matrix& X, const Matrix& W) {
  const auto n = static_cast<std::size_t>(X.rows());
  std::vector<Row> K(n, Row(n, 0));
  for (Index j = 0; j < W.cols(); ++j) {
    Row p(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (Index a = 0; a < X.cols(); ++a)
        p[i] += Quad(X(static_cast<Index>(i), a)) * Quad(W(a, j));
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        K[i][k] += (size_of(p[i]) + size_of(p[k]) - size_of(p[i] - p[k])) / 2 / Quad(W.cols());
      }
    }
  }
  return K;
}

// (K + nλ)α + c1 = y, 1ᵀα = 0 by elimination with pivots. α, then c.
Row solve(const std::vector<Row>& K, const Vector& y, double lambda) {
  const std::size_t n = K.size();
  std::vector<Row> A(n + 1, Row(n + 2, 1));
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(K[i].begin(), K[i].end(), A[i].begin());
    A[i][i] += Quad(static_cast<double>(n)) * Quad(lambda);
    A[i][n + 1] = y(static_cast<Index>(i));
  }
  A[n][n] = A[n][n + 1] = 0;
  for (std::size_t k = 0; k <= n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i <= n; ++i) {
      if (size_of(A[i][k]) > size_of(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    for (std::size_t i = 0; i <= n; ++i) {
      if (i == k) continue;
      const Quad factor = A[i][k] / A[k][k];
      for (std::size_t c = k; c <= n + 1; ++c) A[i][c] -= factor * A[k][c];
    }
  }
  Row solution(n + 1);
  for (std::size_t i = 0; i <= n; ++i) solution[i] = A[i][n + 1] / A[i][i];
  return solution;
}

struct Case {
  std::string name;
  Matrix X;
};

std::vector<Case> cases() {
  Rng rng(3);
  std::vector<Case> all;
  const Matrix X = rng.normal_matrix(48, 3);
  all.push_back({"plain", X});
  Matrix twins = X;
  twins.bottomRows(24) = X.topRows(24) + 1e-9 * rng.normal_matrix(24, 3);
  all.push_back({"near_duplicates", twins});
  Matrix copies = X;
  copies.bottomRows(24) = X.topRows(24);
  all.push_back({"duplicates", copies});
  Matrix outlier = X;
  outlier.row(5) *= 1e6;
  all.push_back({"outlier", outlier});
  return all;
}

constexpr double kTolerance = 1e-10;  // of the solver, as fit() asks for
constexpr double kRounding = 4e-15;   // 18 units in the last place, times the condition

TEST(IllConditioned, ErrorsAreThoseOfTheCondition) {
  std::printf("%-16s %8s %-9s %9s %11s %11s\n", "rows", "lambda", "method", "condition", "alpha",
              "predictions");
  const auto loss = make_loss("square", {});
  const auto kernel = make_kernel("brownian");
  for (const Case& one : cases()) {
    const Index n = one.X.rows();
    const Matrix W = Rng(4).normal_matrix(3, 5);
    const Vector y = Rng(5).normal_matrix(n, 1);
    const Matrix Y = y.array() - y.mean();
    const Vector s = Vector::Ones(n);
    const std::vector<Row> K = gram(one.X, W);
    const Matrix centered = naive::centered(naive::gram("brownian", one.X, W));
    const double largest = naive::symmetric_eigenvalues(centered)(n - 1);
    for (const double lambda : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const Row want = solve(K, Y.col(0), lambda);
      Vector alpha(n);
      for (Index i = 0; i < n; ++i)
        alpha(i) = static_cast<double>(want[static_cast<std::size_t>(i)]);
      const double ridge = static_cast<double>(n) * lambda;
      for (const InnerMethod method : {InnerMethod::cholesky, InnerMethod::automatic}) {
        const auto op = make_operator("sorted", one.X, *kernel);
        op->set_particles(W);
        InnerSolver solver(*loss, Y, s, lambda, method);
        InnerSolution found;
        solver.solve(*op, kTolerance, found, true);
        const double alpha_error = (found.alpha - alpha).norm() / alpha.norm();
        const Vector F = Y - ridge * alpha;  // what Kα + c is at the solution
        const double error = (found.F - F).norm() / Y.norm();
        std::printf("%-16s %8.0e %-9s %9.1e %11.1e %11.1e\n", one.name.c_str(), lambda,
                    method == InnerMethod::cholesky ? "cholesky" : "automatic", largest / ridge + 1,
                    alpha_error, error);
        const double reached = std::max(kTolerance, found.residual);
        EXPECT_LE(alpha_error,
                  kRounding * (largest / ridge + 1) + reached * Y.norm() / (ridge * alpha.norm()));
        EXPECT_LE(error, kRounding * largest * alpha.norm() / Y.norm() + reached + kRounding);
      }
    }
  }
}

}  // namespace
}  // namespace bkernn
