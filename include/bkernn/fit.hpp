// Fitting. The estimator minimizes over particles W, intercept c and dual variables α
//
//   (1/n) Σ_i s_i ℓ(y_i, f(x_i))  +  (λ/2) tr(αᵀKα)  +  λ·penalty_weight·Ω(W),
//   f = Kα + c,   K = (1/m) Σ_j K^(w_j)
//
// (equation "final_kernel" of the paper, with weights and several outputs). For fixed W the first
// two terms are a kernel regression with optimal value G(W); G + λΩ is minimized over W by proximal
// gradient steps.
//
// Scaling. X is always centerd, which changes nothing (K depends on differences only). With
// standardize its columns are divided by their standard deviation and y by its spread t, and
// everything above is meant in those units, except that λ is given and reported in the units of y:
// internally λ/t is used, so multiplying y by t multiplies λ and the predictions by t. Constant
// columns get scale 1 and weight no direction. Without standardize the problem is the one of the
// paper, to the letter.
//
// λ automatic: κ · g · max_i ‖x_i − x̄‖ / n, κ = 0.3, with g the root mean square over rows of the
// loss gradient at the best constant (square loss: the standard deviation of y) and n the sum of
// the weights. It is the λ of the paper's experiments, made equivariant to the scale of y.
//
// Weights are counts: weight 2 equals a repeated row, weight 0 a removed one. Exact fits merge
// repeated rows (distinct_rows.hpp), so that both give the same bits.
#pragma once

#include "bkernn/fit_input.hpp"
#include "bkernn/model.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct FitResult {
  Model model;
  FitReport report;
  double regularization = 0;  // λ used, in the units of y
  Matrix W;                   // d×m, zero particles included, in the coordinates of the model
  // n×q; rows of weight 0 have α = 0. Rows that were merged share their α by weight.
  Matrix alpha;
  RowVector intercept;  // c of the paper: belongs to the kernel on the rows as given (not centerd)
};

FitResult fit(const FitInput& input, const FitOptions& options = {}, Observer* observer = nullptr);

// The common case.
FitResult fit(const MatrixView& X, const MatrixView& Y, const FitOptions& options = {});

// λ of the automatic rule for these data, in the units of y.
double automatic_regularization(const FitInput& input, const FitOptions& options);

}  // namespace bkernn
