#include "calibration/leave_one_out.hpp"

#include <Eigen/Cholesky>

#include <algorithm>

#include "base/active_columns.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

constexpr Index kLandmarks = 1000, kMostRows = 5000;
constexpr double kJitter = 1e-10;  // of the mean diagonal of a kernel matrix
constexpr double kMostLeverage = 1 - 1e-8;

// K of rows and landmarks, by their projections; the mean over m particles.
Matrix kernel_between(const Matrix& P, const Matrix& landmarks, const Kernel& kernel, Index m) {
  Matrix K = Matrix::Zero(P.rows(), landmarks.rows());
  const double cost = static_cast<double>(P.size()) * static_cast<double>(landmarks.rows());
  parallel_for(landmarks.rows(), cost, [&](Index l) {
    Vector values(P.rows());
    for (Index j = 0; j < P.cols(); ++j) {
      kernel.values(P.rows(), P.col(j).data(), landmarks(l, j), values.data());
      K.col(l) += values / static_cast<double>(m);
    }
  });
  return K;
}

}  // namespace

LeaveOneOut leave_one_out(const StandardRows& all, const Matrix& F_all, const Matrix& W,
                          const Kernel& kernel, const Loss& loss, double lambda,
                          std::uint64_t seed) {
  const Index n = all.Z.rows();
  Rng rng(seed);
  LeaveOneOut result{rng.sample(n, std::min(n, kMostRows)), {}};
  const auto count = static_cast<Index>(result.rows.size());
  const std::vector<Index> chosen = rng.sample(count, std::min(count, kLandmarks));
  const Matrix active = W(Eigen::all, active_columns(W));
  const Matrix P = all.Z(result.rows, Eigen::all) * active;
  const Matrix landmarks = P(chosen, Eigen::all);
  Matrix features = kernel_between(P, landmarks, kernel, W.cols());
  Matrix gram = features(chosen, Eigen::all);
  gram.diagonal().array() += kJitter * std::max(gram.diagonal().mean(), 1e-300);
  const Eigen::LLT<Matrix> root(gram);
  root.matrixU().solveInPlace<Eigen::OnTheRight>(features);
  features.conservativeResize(Eigen::NoChange, features.cols() + 1);
  features.rightCols(1).setOnes();

  const Matrix Y = all.Y(result.rows, Eigen::all);
  const Vector s = all.s(result.rows);
  result.F = F_all(result.rows, Eigen::all);
  Matrix gradient, D;
  loss.derivatives(Y, result.F, s, gradient, D);
  const double more = static_cast<double>(n) / static_cast<double>(count);
  Vector leverage;
  for (Index k = 0; k < Y.cols(); ++k) {
    if (k == 0 || !loss.quadratic()) {
      Matrix A = more * features.transpose() * D.col(k).asDiagonal() * features;
      A.diagonal().head(chosen.size()).array() += static_cast<double>(n) * lambda;
      const Eigen::LLT<Matrix> factor(A);
      const Matrix half = factor.matrixL().solve(features.transpose());
      leverage = D.col(k).cwiseProduct(half.colwise().squaredNorm().transpose());
      leverage = leverage.cwiseMin(kMostLeverage);
    }
    result.F.col(k).array() +=
        leverage.array() / (1 - leverage.array()) * gradient.col(k).array() / D.col(k).array();
  }
  return result;
}

}  // namespace bkernn
