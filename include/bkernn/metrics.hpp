// How good a fit is. Everything here is a function of plain matrices: a vector is a matrix with one
// column, several outputs are several columns. Row i counts w_i ≥ 0 times (null weights: all 1).
#pragma once

#include <optional>

#include "bkernn/types.hpp"

namespace bkernn {

// ---- Regression. Y and F are n×q; the score is the mean over the q outputs.

// Equation "r2", with ȳ the weighted mean:
//
//   R² = 1 − Σ w_i (y_i − f_i)² / Σ w_i (y_i − ȳ)².
//
// 1 is perfect, 0 is as good as the mean. A constant output has no variance to explain: it scores 1
// if it is predicted exactly, else 0.
double r2_score(const MatrixView& Y, const MatrixView& F, const Vector* weights = nullptr);

// Σ w_i (y_i − f_i)² / Σ w_i.
double mean_squared_error(const MatrixView& Y, const MatrixView& F,
                          const Vector* weights = nullptr);

// ---- Quantiles. F holds the predicted τ-quantiles of Y.

// The mean of τ r₊ + (1 − τ) r₋ with r = y − f and 0 < τ < 1. Its expectation is smallest at the
// true quantile.
double pinball_loss(const MatrixView& Y, const MatrixView& F, double tau,
                    const Vector* weights = nullptr);

// The share of rows with y ≤ f: near τ if the quantiles are right.
double quantile_coverage(const MatrixView& Y, const MatrixView& F, const Vector* weights = nullptr);

// The share of rows with lower ≤ y ≤ upper.
double interval_coverage(const MatrixView& Y, const MatrixView& lower, const MatrixView& upper,
                         const Vector* weights = nullptr);

// ---- Classification. The input has one of two forms:
//
//   n×q, q ≥ 2    probabilities whose rows sum to 1; Y is one-hot
//   n×1           the probability of class 1; Y is 0 or 1
//
// The predicted class is the most probable one, of equal ones the first.

// With p_i the probability that was given to the true class,
//
//   −(1/Σ w_i) Σ w_i log max(p_i, 2⁻⁵²).
//
// The bound keeps one wrong but certain prediction from making the whole loss infinite.
double log_loss(const MatrixView& probabilities, const MatrixView& Y,
                const Vector* weights = nullptr);

// The share of rows whose predicted class is the true one.
double accuracy(const MatrixView& probabilities, const MatrixView& Y,
                const Vector* weights = nullptr);

// Rows are put into `bins` equal parts b of [0, 1] by their confidence, the largest probability.
// The error is
//
//   Σ_b share(b) · |accuracy in b − mean confidence in b|,
//
// which is 0 if predictions with a confidence of 80% are right in 80% of the cases.
double expected_calibration_error(const MatrixView& probabilities, const MatrixView& Y,
                                  int bins = 10, const Vector* weights = nullptr);

// ---- Features.

// Feature learning score (equation "feature_score"): how close the span of P_hat is to that of P,
// both d×k. With π_P and π_P̂ the orthogonal projections onto the spans, it is
//
//   1 − ‖π_P − π_P̂‖²_F / (2 min(k, d − k)),
//
// which covers both cases of the paper, and 1 if k = d. It lies in [0, 1]: 1 for equal spans, 0 for
// spans as far apart as their dimensions allow. With orthonormal bases Q and Q̂ it is computed from
//
//   ‖π_P − π_P̂‖² = 2‖(I − QQᵀ)Q̂‖²,
//
// where nothing cancels. Throws InvalidArgument if P or P_hat does not have full column rank.
double feature_learning_score(const MatrixView& P_hat, const MatrixView& P);

// The same for particles W (d×m), with k the number of columns of P. P̂ consists of
//
//   the k leading left singular vectors of W, or,
//   if the penalty selects variables, the unit vectors of the k rows of W with the largest norms
//   (of equal rows the first).
//
// The result is empty where W does not determine P̂: if rank(W) < k, or, for singular vectors, if
// the k-th singular value equals the next. Both are judged to 1e-8 of the largest singular value.
std::optional<double> feature_learning_score(const MatrixView& W, bool selects_variables,
                                             const MatrixView& P);

// How many of d importances (of variables, or singular values; ≥ 0) have a share of the total above
// 1/d: more than they would have if all were equal. 0 if all are equal.
Index estimated_dimension(const VectorView& importances);

// The share of the total that these entries have together: near 1 if the estimated dimension is
// clear-cut, 0 if there are none.
double dimension_score(const VectorView& importances);

}  // namespace bkernn
