// How good a fit is. Everything here is a function of plain matrices: a vector is a matrix with one
// column, several outputs are several columns. Weights w_i ≥ 0 (null: all 1) count row i w_i times.
#pragma once

#include <optional>

#include "bkernn/types.hpp"

namespace bkernn {

// ---- Regression. Y and F are n×q; the score is the mean over the q outputs.

// R² = 1 − Σ w_i (y_i − f_i)² / Σ w_i (y_i − ȳ)²   (equation "r2"), ȳ the weighted mean. 1 is
// perfect, 0 as good as the mean. An output that is constant has no variance to explain: 1 if it is
// predicted exactly, else 0.
double r2_score(const MatrixView& Y, const MatrixView& F, const Vector* weights = nullptr);

// Σ w_i (y_i − f_i)² / Σ w_i.
double mean_squared_error(const MatrixView& Y, const MatrixView& F,
                          const Vector* weights = nullptr);

// ---- Quantiles. F holds the predicted τ-quantiles of Y.

// Mean of τ r₊ + (1 − τ) r₋, r = y − f; smallest in expectation at the true quantile. 0 < τ < 1.
double pinball_loss(const MatrixView& Y, const MatrixView& F, double tau,
                    const Vector* weights = nullptr);

// Share of y ≤ f: near τ if the quantiles are honest.
double quantile_coverage(const MatrixView& Y, const MatrixView& F, const Vector* weights = nullptr);

// Share of lower ≤ y ≤ upper.
double interval_coverage(const MatrixView& Y, const MatrixView& lower, const MatrixView& upper,
                         const Vector* weights = nullptr);

// ---- Classification. Two forms: probabilities n×q with rows that sum to 1 and Y one-hot (q ≥ 2),
// or n×1 with the probability of class 1 and Y of 0 and 1. The predicted class is the most probable
// one, the first of equals.

// −(1/Σ w_i) Σ w_i log p_i, p_i the probability given to the class that came; at least 2⁻⁵², so
// that one certain error costs much but not everything.
double log_loss(const MatrixView& probabilities, const MatrixView& Y,
                const Vector* weights = nullptr);

// Share of rows whose predicted class came.
double accuracy(const MatrixView& probabilities, const MatrixView& Y,
                const Vector* weights = nullptr);

// Rows are put into `bins` equal parts of [0, 1] by their confidence, the largest probability. The
// error is Σ_b share(b) · |accuracy in b − mean confidence in b|: 0 if 80% sure means right in 80%
// of the cases.
double expected_calibration_error(const MatrixView& probabilities, const MatrixView& Y,
                                  int bins = 10, const Vector* weights = nullptr);

// ---- Features.

// Feature learning score (equation "feature_score"): how near the span of P_hat is to that of P,
// both d×k. With π the orthogonal projections on the spans,
//
//   1 − ‖π_P − π_P̂‖²_F / (2 min(k, d − k)),
//
// which covers both cases of the paper; 1 if k = d. It lies in [0, 1]: 1 for equal spans, 0 for
// spans as far apart as their dimensions allow. With orthonormal bases Q, Q̂ it is computed from
// ‖π_P − π_P̂‖² = 2‖(I − QQᵀ)Q̂‖², where nothing cancels. Throws InvalidArgument if a matrix has
// not full column rank.
double feature_learning_score(const MatrixView& P_hat, const MatrixView& P);

// The same for particles W (d×m) and k = the number of columns of P. P̂ consists of the k leading
// left singular vectors of W, or, if the penalty selects variables, of the unit vectors of the k
// rows of W with the largest norms (of equal rows the first). Empty where P̂ is not determined by
// W: if rank(W) < k, or if the k-th singular value equals the next; both to 1e-8 of the largest.
std::optional<double> feature_learning_score(const MatrixView& W, bool selects_variables,
                                             const MatrixView& P);

// The number of importances (of variables, or singular values; ≥ 0) whose share of the total
// exceeds 1/d, d = how many there are: those that matter more than they would if all mattered
// equally. 0 if all are equal.
Index estimated_dimension(const VectorView& importances);

// The share of the total that those entries carry: near 1 if the estimated dimension is clear-cut,
// 0 if there are none.
double dimension_score(const VectorView& importances);

}  // namespace bkernn
