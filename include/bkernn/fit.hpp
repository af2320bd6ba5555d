// Fitting. The estimator minimizes, over particles W, intercept c and dual variables α,
//
//   (1/n) Σ_i s_i ℓ(y_i, f(x_i))  +  (λ/2) tr(αᵀKα)  +  λ·penalty_weight·Ω(W),
//   f = Kα + c,   K = (1/m) Σ_j K^(w_j)
//
// (equation "final_kernel" of the paper, with weights and several outputs). For fixed W the first
// two terms are a kernel regression with optimal value G(W). G + λΩ is minimized over W by proximal
// gradient steps.
//
// Scaling. X is always centered, which changes nothing, because K depends on differences only. With
// standardize, the columns of X are divided by their standard deviations and y by its spread t, and
// the problem above is meant in those units. Only λ is given and reported in the units of y:
// internally λ/t is used, so multiplying y by t multiplies λ and the predictions by t. Constant
// columns get scale 1 and take part in no direction. Without standardize the problem is exactly
// that of the paper.
//
// Automatic λ and penalty. Both are chosen by held-out rows, for the loss of the fit, in a race
// whose course FitReport::race tells. Whatever the options fix stays, and the rest is chosen. Below
// 15 rows none are held out: λ is that of the rule, and the penalty `feature`.
//
// The rule. With κ = 0.3 it is
//
//   λ = κ · g · max_i ‖x_i − x̄‖ / n,
//
// where g is the root mean square over rows of the loss gradient at the best constant (for the
// square loss: the standard deviation of y) and n the sum of the weights. It is the λ of the
// paper's experiments, made equivariant to the scale of y.
//
// Weights are counts: a row of weight 2 counts as two rows, a row of weight 0 as none.
#pragma once

#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

FitResult fit(const FitInput& input, const FitOptions& options = {}, Observer* observer = nullptr);

// The common case.
FitResult fit(const MatrixView& X, const MatrixView& Y, const FitOptions& options = {});

// λ of the rule for these data, in the units of y.
double automatic_regularization(const FitInput& input, const FitOptions& options);

}  // namespace bkernn
