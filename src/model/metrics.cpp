#include "bkernn/metrics.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/check_values.hpp"
#include "bkernn/error.hpp"
#include "bkernn/penalty.hpp"

namespace bkernn {
namespace {

constexpr double kRelativeGap = 1e-8;

std::string shape(const MatrixView& A) {
  return std::to_string(A.rows()) + "×" + std::to_string(A.cols());
}

void require_same_shape(const char* name, const MatrixView& A, const char* other_name,
                        const MatrixView& other) {
  require(A.rows() == other.rows() && A.cols() == other.cols(), name, shape(A),
          std::string("must have the shape of ") + other_name + ", " + shape(other));
}

void require_values(const char* name, const MatrixView& A) {
  require(A.size() > 0, name, shape(A), "must not be empty");
  check_values(A, name);
}

// Weights that sum to 1.
Vector checked_weights(const Vector* weights, Index n) {
  if (weights == nullptr) return Vector::Constant(n, 1 / static_cast<double>(n));
  const Vector& w = *weights;
  require(w.size() == n, "weights", w.size(), "must be as many as rows, " + std::to_string(n));
  check_weights(w);
  require(w.sum() > 0, "weights", w.sum(), "must not all be 0");
  return w / w.sum();
}

Vector checked_regression(const MatrixView& Y, const char* name, const MatrixView& F,
                          const Vector* weights) {
  require_values("Y", Y);
  require_same_shape(name, F, "Y", Y);
  require_values(name, F);
  return checked_weights(weights, Y.rows());
}

// One column per class, the two forms of input made one.
struct Classes {
  Matrix probabilities;
  std::vector<Index> observed, predicted;
  Vector weights;  // sum to 1
};

Index observed_class(const Matrix& Y, Index i) {
  Index c = 0;
  const double largest = Y.row(i).maxCoeff(&c);
  const bool one_hot = largest == 1 && (Y.row(i).array() == 0).count() == Y.cols() - 1;
  require(one_hot, "Y", i, "this row is not one-hot (or, in a single column, not 0 or 1)");
  return c;
}

Classes checked_classes(const MatrixView& probabilities, const MatrixView& Y,
                        const Vector* weights) {
  Classes classes;
  classes.weights = checked_regression(Y, "probabilities", probabilities, weights);
  const bool single = Y.cols() == 1;
  const auto columns = [&](const MatrixView& A) {
    Matrix both(A.rows(), single ? 2 : A.cols());
    both.rightCols(A.cols()) = A;
    if (single) both.col(0) = 1 - A.col(0).array();
    return both;
  };
  classes.probabilities = columns(probabilities);
  const Matrix& p = classes.probabilities;
  require(p.minCoeff() >= 0, "probabilities", p.minCoeff(), "must lie between 0 and 1");
  const Vector sums = p.rowwise().sum();
  Index worst = 0;
  const double off = (sums.array() - 1).abs().maxCoeff(&worst);
  require(off <= 1e-6, "probabilities", sums(worst), "every row must sum to 1");
  const Matrix targets = columns(Y);
  for (Index i = 0; i < p.rows(); ++i) {
    Index c = 0;
    p.row(i).maxCoeff(&c);
    classes.predicted.push_back(c);
    classes.observed.push_back(observed_class(targets, i));
  }
  return classes;
}

Matrix orthonormal_basis(const char* name, const MatrixView& P) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(P);
  require(qr.rank() == P.cols(), name, shape(P),
          "must have full column rank, has rank " + std::to_string(qr.rank()));
  return qr.householderQ() * Matrix::Identity(P.rows(), P.cols());
}

void require_directions(const char* name, const MatrixView& P) {
  require_values(name, P);
  require(P.cols() <= P.rows(), name, shape(P), "must have at most as many columns as rows");
}

Matrix leading_variables(const MatrixView& W, Index k) {
  const Vector norms = W.rowwise().norm();
  std::vector<Index> order(W.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return norms(a) > norms(b); });
  Matrix P = Matrix::Zero(W.rows(), k);
  for (Index a = 0; a < k; ++a) P(order[a], a) = 1;
  return P;
}

// A share that equals 1/d does not exceed it, whichever way it was rounded.
Eigen::Array<bool, Eigen::Dynamic, 1> above_average(const VectorView& importances) {
  require_values("importances", importances);
  require(importances.minCoeff() >= 0, "importances", importances.minCoeff(), "must be at least 0");
  return importances.array() > importances.mean() * (1 + 1e-12);
}

}  // namespace

double r2_score(const MatrixView& Y, const MatrixView& F, const Vector* weights) {
  const Vector w = checked_regression(Y, "F", F, weights);
  Index heaviest = 0;
  w.maxCoeff(&heaviest);
  double sum = 0;
  for (Index k = 0; k < Y.cols(); ++k) {
    const double error = w.dot((Y.col(k) - F.col(k)).cwiseAbs2());
    const double mean = w.dot(Y.col(k));
    const bool constant = (w.array() == 0 || Y.col(k).array() == Y(heaviest, k)).all();
    const double variance = constant ? 0 : w.dot((Y.col(k).array() - mean).abs2().matrix());
    sum += variance > 0 ? 1 - error / variance : (error == 0 ? 1 : 0);
  }
  return sum / static_cast<double>(Y.cols());
}

double mean_squared_error(const MatrixView& Y, const MatrixView& F, const Vector* weights) {
  const Vector w = checked_regression(Y, "F", F, weights);
  return w.dot((Y - F).cwiseAbs2().rowwise().mean());
}

double pinball_loss(const MatrixView& Y, const MatrixView& F, double tau, const Vector* weights) {
  require(tau > 0 && tau < 1, "tau", tau, "must lie strictly between 0 and 1");
  const Vector w = checked_regression(Y, "F", F, weights);
  const auto r = (Y - F).array();
  return w.dot((tau * r).max((tau - 1) * r).rowwise().mean().matrix());
}

double quantile_coverage(const MatrixView& Y, const MatrixView& F, const Vector* weights) {
  const Vector w = checked_regression(Y, "F", F, weights);
  return w.dot((Y.array() <= F.array()).cast<double>().rowwise().mean().matrix());
}

double interval_coverage(const MatrixView& Y, const MatrixView& lower, const MatrixView& upper,
                         const Vector* weights) {
  const Vector w = checked_regression(Y, "lower", lower, weights);
  checked_regression(Y, "upper", upper, weights);
  const auto inside = lower.array() <= Y.array() && Y.array() <= upper.array();
  return w.dot(inside.cast<double>().rowwise().mean().matrix());
}

double log_loss(const MatrixView& probabilities, const MatrixView& Y, const Vector* weights) {
  const Classes classes = checked_classes(probabilities, Y, weights);
  double sum = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    const double p = classes.probabilities(i, classes.observed[i]);
    sum -= classes.weights(i) * std::log(std::max(p, std::numeric_limits<double>::epsilon()));
  }
  return sum;
}

double accuracy(const MatrixView& probabilities, const MatrixView& Y, const Vector* weights) {
  const Classes classes = checked_classes(probabilities, Y, weights);
  double share = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    if (classes.predicted[i] == classes.observed[i]) share += classes.weights(i);
  }
  return share;
}

double expected_calibration_error(const MatrixView& probabilities, const MatrixView& Y, int bins,
                                  const Vector* weights) {
  require(bins >= 1, "bins", bins, "must be at least 1");
  const Classes classes = checked_classes(probabilities, Y, weights);
  Vector excess = Vector::Zero(bins);
  for (Index i = 0; i < Y.rows(); ++i) {
    const double confidence = std::min(1.0, classes.probabilities(i, classes.predicted[i]));
    const double right = classes.predicted[i] == classes.observed[i] ? 1 : 0;
    const Index b = std::min<Index>(bins - 1, static_cast<Index>(confidence * bins));
    excess(b) += classes.weights(i) * (right - confidence);
  }
  return excess.cwiseAbs().sum();
}

double feature_learning_score(const MatrixView& P_hat, const MatrixView& P) {
  require_directions("P", P);
  require_same_shape("P_hat", P_hat, "P", P);
  require_directions("P_hat", P_hat);
  const Matrix Q = orthonormal_basis("P", P);
  const Matrix Q_hat = orthonormal_basis("P_hat", P_hat);
  const Index room = std::min(P.cols(), P.rows() - P.cols());
  if (room == 0) return 1;
  const double distance2 = (Q_hat - Q * (Q.transpose() * Q_hat)).squaredNorm();
  return std::clamp(1 - distance2 / static_cast<double>(room), 0.0, 1.0);
}

std::optional<double> feature_learning_score(const MatrixView& W, bool selects_variables,
                                             const MatrixView& P) {
  require_directions("P", P);
  require(W.rows() == P.rows(), "W", shape(W), "must have as many rows as P, " + shape(P));
  check_values(W, "W");
  orthonormal_basis("P", P);
  if (W.cols() == 0) return std::nullopt;
  const Index k = P.cols();
  const LeftSingular svd = left_singular(W);
  const Vector& S = svd.values;
  const double small = kRelativeGap * S(0);
  if (k > S.size() || S(k - 1) <= small) return std::nullopt;
  if (selects_variables) return feature_learning_score(leading_variables(W, k), P);
  if (k < S.size() && S(k - 1) - S(k) <= small) return std::nullopt;
  return feature_learning_score(svd.vectors.leftCols(k), P);
}

Index estimated_dimension(const VectorView& importances) {
  return above_average(importances).count();
}

double dimension_score(const VectorView& importances) {
  const auto above = above_average(importances);
  if (!above.any()) return 0;
  return above.select(importances.array(), 0.0).sum() / importances.sum();
}

}  // namespace bkernn
