#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <string>

#include "base/check_values.hpp"
#include "base/parallel.hpp"
#include "bkernn/baselines.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr Index kRowsPerBlock = 32;

// −½‖rows_r − x_i‖ for every row x_i of X. One column after the other: long loops even if d is
// small.
void distance_kernel(const Matrix& X, const MatrixView& rows, Index r, Vector& out) {
  out.setZero();
  for (Index a = 0; a < X.cols(); ++a) out.array() += (X.col(a).array() - rows(r, a)).square();
  out = -0.5 * out.cwiseSqrt();
}

// Calls use(i, the kernel between all of X and row i) for every row, in parallel.
template <class Use>
void for_each_kernel_column(const Matrix& X, const MatrixView& rows, const Use& use) {
  const Index n = rows.rows();
  const auto cost = static_cast<double>(n * X.rows() * (X.cols() + 4));
  parallel_for((n + kRowsPerBlock - 1) / kRowsPerBlock, cost, [&](Index block) {
    Vector k(X.rows());
    for (Index i = block * kRowsPerBlock; i < std::min(n, (block + 1) * kRowsPerBlock); ++i) {
      distance_kernel(X, rows, i, k);
      use(i, k);
    }
  });
}

Vector checked_weights(const Vector* weights, Index n) {
  if (weights == nullptr) return Vector::Ones(n);
  const Vector& s = *weights;
  require(s.size() == n, "weights", s.size(), "must be as many as rows, " + std::to_string(n));
  check_weights(s);
  require(s.sum() > 0, "weights", s.sum(), "must not all be 0");
  return s;
}

void check_data(const MatrixView& X, const MatrixView& Y) {
  const Index n = X.rows();
  require(n >= 1, "rows of X", n, "must be at least 1");
  require(X.cols() >= 1, "columns of X", X.cols(), "must be at least 1");
  require(Y.rows() == n, "rows of Y", Y.rows(), "must be as many as of X, " + std::to_string(n));
  require(Y.cols() >= 1, "columns of Y", Y.cols(), "must be at least 1");
  check_values(X, "X");
  check_values(Y, "Y");
}

// β with (ΠAΠ + ridge·I)β = right, where right = Π right and Π projects away from u; so β = Πβ.
// Along u, where β has nothing, the matrix is given an eigenvalue like its others instead of the
// ridge alone, which may be tiny.
Matrix solve_centered(Matrix A, const Vector& u, double ridge, const Matrix& right) {
  const double u2 = u.squaredNorm();
  const Vector Au = A * u / u2;
  const Vector half = Au - (0.5 * u.dot(Au) / u2) * u;
  A.noalias() -= u * half.transpose();
  A.noalias() -= half * u.transpose();
  const double typical = A.diagonal().mean();
  A.noalias() += (typical / u2 * u) * u.transpose();
  A.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::Ref<Matrix>> cholesky(A);
  Matrix beta = cholesky.solve(right);
  beta -= (u / u2) * (u.transpose() * beta).eval();
  if (cholesky.info() != Eigen::Success || !beta.allFinite()) {
    throw NumericalError(
        "the kernel matrix cannot be factorized: regularization is too small for these data, or X "
        "too "
        "large");
  }
  return beta;
}

}  // namespace

BrownianKernelRidge BrownianKernelRidge::fit(const MatrixView& X, const MatrixView& Y,
                                             double regularization, const Vector* weights,
                                             int n_threads) {
  check_data(X, Y);
  require(regularization > 0 && std::isfinite(regularization), "regularization", regularization,
          "must be positive and finite");
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0");
  const Vector s = checked_weights(weights, X.rows());
  const Vector u = s.cwiseSqrt();
  const double n = s.sum();
  const ThreadLimit limit(n_threads);

  BrownianKernelRidge model;
  model.X = X;
  Matrix K(X.rows(), X.rows());
  for_each_kernel_column(model.X, model.X, [&](Index i, const Vector& k) { K.col(i) = k; });
  const RowVector mean = s.transpose() * Y / n;
  model.alpha =
      u.asDiagonal() * solve_centered(u.asDiagonal() * K * u.asDiagonal(), u, n * regularization,
                                      u.asDiagonal() * (Y.rowwise() - mean));
  model.intercept = mean - s.transpose() * (K * model.alpha) / n;
  return model;
}

Matrix BrownianKernelRidge::predict(const MatrixView& rows, int n_threads) const {
  require(rows.cols() == X.cols(), "columns of X", rows.cols(),
          "must be as many as in training, " + std::to_string(X.cols()));
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0");
  check_values(rows, "X");
  const ThreadLimit limit(n_threads);
  Matrix F(rows.rows(), alpha.cols());
  for_each_kernel_column(X, rows, [&](Index i, const Vector& k) {
    F.row(i).noalias() = k.transpose() * alpha;
    F.row(i) += intercept;
  });
  return F;
}

}  // namespace bkernn
