// Losses ℓ(y, f), convex in the prediction f. A loss knows predictions and targets and nothing
// else.
//
//   square       ½ (y − f)²
//   logistic     log(1 + e^f) − y f                   y ∈ {0, 1}; P(y = 1) = 1/(1 + e^−f)
//   multinomial  log Σ_k e^{f_k} − f_y                Y one-hot, q classes; at the optimum Σ_k f_k = 0
//   huber        ½ r² if |r| ≤ δ, else δ(|r| − δ/2)    r = y − f
//   quantile     τ r₊ + (1 − τ) r₋                    smoothed, see below
//   poisson      e^f − y f + y log y − y              counts y ≥ 0, mean e^f; half the deviance
//
// The fit minimizes (1/n) Σ_i s_i ℓ(y_i, f_i) + (λ/2) αᵀKα, f = Kα + c, with weights s_i ≥ 0, Σ s_i
// = n. At the optimum nλ α_i = −s_i ∂ℓ/∂f(y_i, f_i), and 1ᵀα = 0 because c is free.
//
// Every Newton step replaces ℓ by a parabola with curvature `curvature` ≥ ∂²ℓ/∂f² > 0, so that it
// is a weighted square problem. Where ℓ is flat or straight (saturated probabilities, the linear
// arms of Huber) the curvature is kept above a small fraction of that of the tangent majorizing
// parabola; this slows Newton a little and loses nothing, because the gradient stays exact.
//
// The kink of the quantile loss is smoothed: for |r| ≤ ε it is the parabola r²/(4ε) + ε/4 + (τ − ½)
// r, which is the average of the pinball loss over a window of half-width ε. It exceeds the pinball
// loss by at most ε/4, so the optimal value is within ε/4 of the exact one; the optimum balances
// the smoothed signs exactly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

struct LossParameters {
  double huber_delta = 0.3;      // δ, in the units of y as the loss sees it
  double quantile = 0.5;         // τ in (0, 1)
  double quantile_width = 0.05;  // ε, in the same units
};

class Loss {
 public:
  virtual ~Loss() = default;

  virtual std::string name() const = 0;

  // Throws InvalidArgument if some target is not what this loss can take.
  virtual void check_targets(const MatrixView& Y) const = 0;

  // Σ_i s_i ℓ(y_i, f_i).
  virtual double value(const Matrix& Y, const Matrix& F, const Vector& s) const = 0;

  // gradient(i, k) = s_i ∂ℓ/∂f_k, and the curvature matrix of row i: diag(D_i), or diag(D_i) − D_i
  // D_iᵀ/ΣD_i if coupled(). Both n×q.
  virtual void derivatives(const Matrix& Y, const Matrix& F, const Vector& s, Matrix& gradient,
                           Matrix& D) const = 0;

  virtual bool coupled() const { return false; }

  // One Newton step solves the problem exactly.
  virtual bool quadratic() const { return false; }

  // Multiplying y by t multiplies the best prediction by t, so y may be measured in its own scale.
  virtual bool scale_equivariant() const { return false; }

  // By how much the automatic λ exceeds κ·g·max‖x‖/n. Where the gradient does not fade as the fit
  // improves (signs of residuals, labels that stay random) α stays large, and the same λ would
  // regularize far less than for the square loss. From held-out losses on simulated data: 10 for
  // quantiles, 5 for classes, 3 for Huber, which leaves outliers a constant pull.
  virtual double regularization_factor() const { return 1; }

  // The prediction on the scale of y: probability, mean count (the largest double where it is
  // larger), or f itself.
  virtual Matrix response(const Matrix& F) const { return F; }

  // A starting constant for the intercept, safe whatever the data.
  virtual RowVector start(const Matrix& Y, const Vector& s) const = 0;
};

std::unique_ptr<Loss> make_loss(const std::string& name, const LossParameters& parameters = {});
const std::vector<std::string>& loss_names();

}  // namespace bkernn
