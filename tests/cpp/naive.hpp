// Oracles: the definitions and lemmas of the paper written as they stand, with dense loops. They
// share no code with the library beyond its matrix types and its random numbers.
#pragma once

#include <cmath>
#include <string>

#include "algebra.hpp"
#include "base/rng.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/types.hpp"

namespace bkernn::naive {

// ---- Kernels.

inline double kernel(const std::string& name, double a, double b) {
  if (name == "brownian") return (std::abs(a) + std::abs(b) - std::abs(a - b)) / 2;
  if (name == "exponential") return std::exp(-std::abs(a - b) / 2);
  return std::exp(-(a - b) * (a - b) / 2);
}

// ∂k/∂a at a − b = r ≠ 0, up to terms that depend on a alone.
inline double kernel_slope(const std::string& name, double r) {
  const double sign = r > 0 ? 1 : -1;
  if (name == "brownian") return -sign / 2;
  if (name == "exponential") return -sign / 2 * std::exp(-std::abs(r) / 2);
  return -r * std::exp(-r * r / 2);
}

// K_ii' = (1/m) Σ_j k(w_jᵀx_i, w_jᵀx'_i').
inline Matrix gram(const std::string& name, const Matrix& X, const Matrix& X2, const Matrix& W) {
  const Matrix P = X * W, P2 = X2 * W;
  Matrix K = Matrix::Zero(X.rows(), X2.rows());
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index k = 0; k < K.cols(); ++k) {
      for (Index j = 0; j < W.cols(); ++j) K(i, k) += kernel(name, P(i, j), P2(k, j));
    }
  }
  return K / static_cast<double>(W.cols());
}

inline Matrix gram(const std::string& name, const Matrix& X, const Matrix& W) {
  return gram(name, X, X, W);
}

// ---- Penalties.

inline double penalty(const std::string& name, const Matrix& W, double s) {
  const double m = static_cast<double>(W.cols()), root = std::sqrt(m);
  double sum = 0;
  if (name == "basic") {
    for (Index j = 0; j < W.cols(); ++j) sum += W.col(j).norm() / (2 * m);
    return sum;
  }
  if (name == "basic_l1") return W.cwiseAbs().sum() / (2 * m);
  const bool variables = name == "variable" || name == "concave_variable";
  const Vector r = variables ? Vector(W.rowwise().norm()) : singular_values(W);
  const bool concave = name.starts_with("concave") && s > 0;
  for (const double one : r)
    sum += concave ? std::log1p(s / root * one) / (2 * s) : one / (2 * root);
  return sum;
}

// ---- Losses: Σ_i s_i ℓ(y_i, f_i), its gradient and the Hessian of one row, from the definitions.

inline double loss(const std::string& name, const Matrix& Y, const Matrix& F, const Vector& s,
                   const LossParameters& p = {}) {
  double sum = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    if (name == "multinomial") {
      const double top = F.row(i).maxCoeff();
      double total = 0;
      for (Index k = 0; k < F.cols(); ++k) total += std::exp(F(i, k) - top);
      sum += s(i) * (std::log(total) + top - F.row(i).dot(Y.row(i)));
      continue;
    }
    for (Index k = 0; k < Y.cols(); ++k) {
      const double y = Y(i, k), f = F(i, k), r = y - f, e = p.quantile_width;
      double l = 0.5 * r * r;
      if (name == "logistic")
        l = (f > 0 ? f + std::log1p(std::exp(-f)) : std::log1p(std::exp(f))) - y * f;
      if (name == "poisson") l = std::exp(f) - y * f + (y > 0 ? y * std::log(y) - y : 0.0);
      if (name == "huber" && std::abs(r) > p.huber_delta)
        l = p.huber_delta * (std::abs(r) - p.huber_delta / 2);
      if (name == "quantile") {
        l = std::abs(r) <= e ? r * r / (4 * e) + e / 4 + (p.quantile - 0.5) * r
                             : p.quantile * std::max(r, 0.0) + (1 - p.quantile) * std::max(-r, 0.0);
      }
      sum += s(i) * l;
    }
  }
  return sum;
}

// Whether |∂ℓ/∂f| has a bound for all f.
inline bool bounded_slopes(const std::string& name) {
  return name != "square" && name != "poisson";
}

inline Matrix softmax(const Matrix& F) {
  Matrix p = F;
  for (Index i = 0; i < F.rows(); ++i) {
    p.row(i) = (F.row(i).array() - F.row(i).maxCoeff()).exp();
    p.row(i) /= p.row(i).sum();
  }
  return p;
}

// ---- The inner problem.

struct Inner {
  Matrix alpha;  // n×q
  RowVector c;   // for the Gram matrix as given
};

// Square loss: (K + nλ S⁻¹)α + c1 = y, 1ᵀα = 0, as one dense system.
inline Inner square_solution(const Matrix& K, const Matrix& Y, const Vector& s, double lambda) {
  const Index n = K.rows();
  Matrix A = Matrix::Zero(n + 1, n + 1), B = Matrix::Zero(n + 1, Y.cols());
  A.topLeftCorner(n, n) = K;
  for (Index i = 0; i < n; ++i) A(i, i) += static_cast<double>(n) * lambda / s(i);
  A.col(n).head(n).setOnes();
  A.row(n).head(n).setOnes();
  B.topRows(n) = Y;
  const Matrix solution = solve(A, B);
  return {solution.topRows(n), solution.row(n)};
}

// Lemma fixed_K: α = (ΠKΠ + nλI)⁻¹ Πy, and G = (λ/2) tr(ỹᵀα).
inline Matrix centered(const Matrix& K) {
  const Index n = K.rows();
  const Matrix Pi = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / static_cast<double>(n));
  return Pi * K * Pi;
}

inline double square_optimum(const Matrix& K, const Matrix& Y, double lambda) {
  const Index n = K.rows();
  const Matrix centered_Y = Y.rowwise() - Y.colwise().mean();
  const Matrix A = centered(K) + static_cast<double>(n) * lambda * Matrix::Identity(n, n);
  return 0.5 * lambda * centered_Y.cwiseProduct(solve(A, centered_Y)).sum();
}

// Kernel logistic, multinomial or Poisson regression by Newton steps on all n·q + q unknowns at
// once:
//   nλα + H(Kα + c) = Hf − g,   1ᵀα = 0,   H the block-diagonal Hessian of the loss.
inline Inner newton_solution(const std::string& name, const Matrix& K, const Matrix& Y,
                             const Vector& s, double lambda) {
  const Index n = Y.rows(), q = Y.cols();
  Inner now{Matrix::Zero(n, q), RowVector::Zero(q)};
  for (int step = 0; step < 40; ++step) {
    const Matrix F = (K * now.alpha).rowwise() + now.c;
    const Matrix mean = name == "multinomial" ? softmax(F)
                        : name == "poisson"   ? Matrix(F.array().exp())
                                              : Matrix(1 / (1 + (-F.array()).exp()));
    const auto H = [&](Index i, Index k, Index l) {
      if (name == "multinomial")
        return s(i) * ((k == l ? mean(i, k) : 0) - mean(i, k) * mean(i, l));
      return k == l ? s(i) * (name == "poisson" ? mean(i, k) : mean(i, k) * (1 - mean(i, k))) : 0.0;
    };
    Matrix A = Matrix::Zero(n * q + q, n * q + q);
    Vector b = Vector::Zero(n * q + q);
    for (Index k = 0; k < q; ++k) {
      for (Index i = 0; i < n; ++i) {
        const Index row = k * n + i;
        A(row, row) += static_cast<double>(n) * lambda;
        b(row) = s(i) * (Y(i, k) - mean(i, k));
        for (Index l = 0; l < q; ++l) {
          A.row(row).segment(l * n, n) += H(i, k, l) * K.row(i);
          A(row, n * q + l) = H(i, k, l);
          b(row) += H(i, k, l) * F(i, l);
        }
        A(n * q + k, row) = 1;
      }
    }
    const Vector x = least_squares(A, b);
    const Matrix alpha = x.head(n * q).reshaped(n, q);
    const double change = (alpha - now.alpha).norm();
    now = {alpha, x.tail(q).transpose()};
    if (change <= 1e-13 * alpha.norm()) break;
  }
  return now;
}

// ---- Data.

// Targets that the loss can take, depending on x: q columns (multinomial: q ≥ 2 classes, logistic:
// one).
inline Matrix targets(const std::string& loss_name, const Matrix& X, Index q, Rng& rng) {
  const Index n = X.rows();
  Matrix Y(n, q);
  for (Index k = 0; k < q; ++k) {
    const Vector w = rng.normal_matrix(X.cols(), 1);
    for (Index i = 0; i < n; ++i) {
      const double f = std::sin(X.row(i).dot(w)) + 0.3 * rng.normal();
      Y(i, k) = f;
      if (loss_name == "logistic") Y(i, k) = rng.uniform() < 1 / (1 + std::exp(-3 * f)) ? 1 : 0;
      if (loss_name == "poisson") Y(i, k) = rng.poisson(std::exp(1 + f));
    }
  }
  if (loss_name == "multinomial") {
    for (Index i = 0; i < n; ++i) {
      Index best = 0;
      Y.row(i).maxCoeff(&best);
      Y.row(i).setZero();
      Y(i, best) = 1;
    }
  }
  return Y;
}

inline Index outputs(const std::string& loss_name) {
  return loss_name == "multinomial" ? 3 : loss_name == "square" ? 2 : 1;
}

inline void center_columns(Matrix& V) {
  V.rowwise() -= V.colwise().mean().eval();
}

}  // namespace bkernn::naive
