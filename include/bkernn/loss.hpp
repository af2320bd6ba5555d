// Losses ℓ(y, f), convex in the prediction f. A loss knows predictions and targets and nothing
// else.
//
//   square       ½ (y − f)²
//   logistic     log(1 + e^f) − y f                   y ∈ {0, 1}; P(y = 1) = 1/(1 + e^−f)
//   multinomial  log Σ_k e^{f_k} − f_y                Y one-hot, q classes; Σ f_k = 0 at best
//   huber        ½ r² if |r| ≤ δ, else δ(|r| − δ/2)    r = y − f
//   quantile     τ r₊ + (1 − τ) r₋                    smoothed, see below
//   poisson      e^f − y f + y log y − y              counts y ≥ 0, mean e^f; half the deviance
//
// The fit minimizes (1/n) Σ_i s_i ℓ(y_i, f_i) + (λ/2) αᵀKα, where f = Kα + c and the weights s_i ≥
// 0 sum to n. At the optimum nλ α_i = −s_i ∂ℓ/∂f(y_i, f_i), and 1ᵀα = 0 because c is free.
//
// Every Newton step replaces ℓ by a parabola with a curvature ≥ ∂²ℓ/∂f² that is positive, which
// leaves a weighted square problem. Where ℓ is straight (probabilities that are sure and wrong, the
// linear arms of Huber) the curvature is kept above a small fraction of that of the parabola that
// touches ℓ and stays above it. This slows Newton a little and costs no accuracy, because the
// gradient stays exact.
//
// The kink of the quantile loss is smoothed: for |r| ≤ ε it is the parabola r²/(4ε) + ε/4 + (τ − ½)
// r, the average of the pinball loss over a window of half-width ε. It exceeds the pinball loss by
// at most ε/4, so the optimal value is within ε/4 of the exact one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

struct LossParameters {
  double huber_delta = 0.3;  // δ, in the units of y as the loss sees it
  double quantile = 0.5;     // τ in (0, 1)
  // Several τ, increasing, for a Y that has y in as many columns; empty: `quantile` for each.
  std::vector<double> quantiles = {};
  double quantile_width = 0.05;  // ε, in the same units
};

// What y is. Numbers: f predicts y itself. Counts: y ≥ 0, and f is the logarithm of their mean.
// Classes: y is 0 or 1 in each column, f are log-odds and the response is probabilities.
enum class Targets { numbers, counts, classes };
const char* name_of(Targets targets);

class Loss {
 public:
  virtual ~Loss() = default;

  virtual std::string name() const = 0;

  virtual Targets targets() const { return Targets::numbers; }
  bool classifies() const { return targets() == Targets::classes; }

  // How many columns of Y stand for this many classes: 1 (is it the second?) or one for each; 0 if
  // the loss cannot take them. n_classes turns it round: the classes that q outputs tell apart.
  virtual Index class_outputs(Index /*classes*/) const { return 0; }
  virtual Index n_classes(Index /*q*/) const { return 0; }

  // Throws InvalidArgument if some target is not what this loss can take.
  virtual void check_targets(const MatrixView& Y) const = 0;

  // Σ_i s_i ℓ(y_i, f_i).
  virtual double value(const Matrix& Y, const Matrix& F, const Vector& s) const = 0;

  // gradient(i, k) = s_i ∂ℓ/∂f_k, and D_i such that the curvature matrix of row i is diag(D_i), or
  // diag(D_i) − D_i D_iᵀ/ΣD_i if coupled(). Both n×q.
  virtual void derivatives(const Matrix& Y, const Matrix& F, const Vector& s, Matrix& gradient,
                           Matrix& D) const = 0;

  // The outputs of a row depend on one another: ∂²ℓ/∂f_k∂f_l ≠ 0.
  virtual bool coupled() const { return false; }

  // ℓ is a parabola in f, so one Newton step solves the problem exactly.
  virtual bool quadratic() const { return false; }

  // Multiplying y by t multiplies the best prediction by t, so y may be measured in any unit.
  virtual bool scale_equivariant() const { return false; }

  // τ, if f estimates the τ-quantile of y.
  virtual std::optional<double> quantile() const { return std::nullopt; }

  // All τ, if the outputs are several quantiles of one y; else empty.
  virtual std::vector<double> quantiles() const { return {}; }

  // L ≥ |∂ℓ/∂f(y, f)| of each output, or of all together if coupled(), for the targets Y and all f.
  // Square and poisson losses have no such bound. Theirs holds while the response lies in the range
  // of Y: L = max y − min y, the largest over the columns (1 if Y is constant). Y as the loss sees
  // it.
  virtual double lipschitz_constant(const MatrixView& Y) const = 0;

  // By how much the automatic λ exceeds κ·g·max‖x‖/n. Where the gradient does not fade as the fit
  // improves (signs of residuals, labels that stay random) α stays large, and the same λ would
  // regularize far less than it does for the square loss. Found from held-out losses on simulated
  // data: 10 for quantiles, 5 for classes, 3 for Huber, where outliers keep a constant pull.
  virtual double regularization_factor() const { return 1; }

  // The prediction on the scale of y: probabilities of all classes, the mean count (at most the
  // largest double), or f itself. Its last q columns correspond to the q columns of Y.
  virtual Matrix response(const Matrix& F) const { return F; }

  // A starting constant for the intercept, safe for any data.
  virtual RowVector start(const Matrix& Y, const Vector& s) const = 0;
};

std::unique_ptr<Loss> make_loss(const std::string& name, const LossParameters& parameters = {});
const std::vector<std::string>& loss_names();

// The loss to take if none is named: for this many classes, or for numbers if it is 0.
std::string default_loss(Index classes = 0);

}  // namespace bkernn
