// The statistical analysis of the paper (section "stat_analysis") as functions: what the theorems
// say for given n, d and data, with the constants of the paper.
//
// Setting. The functions are
//
//   f = c + ∫ g(wᵀx) dμ(g, w),
//
// with w on the unit sphere of a norm ‖·‖ (ℓ2 or ℓ1) and g in the Sobolev space of the Brownian
// kernel; ‖·‖* is the dual norm (ℓ2 or ℓ∞). The penalty is Ω(f) = max(|f(0)|, Ω₀(f)), and the
// estimator is the minimizer of
//
//   (1/n) Σ ℓ(y_i, f(x_i)) + λ Ω(f).
//
// This λ is the λ of fit(), since (λ/2) tr(αᵀKα) + λ Ω_basic(W) equals λ Ω₀ after minimizing over
// the lengths of the particles.
//
// Everything goes through the Gaussian complexity (lemmas "rademacher_without_integral" and
// "best_g")
//
//   G_n = E_{ε, X} sup_{‖w‖ = 1} √(εᵀK^(w)ε) / n,   ε ~ N(0, I),   K^(w)_{ij} = k(wᵀx_i, wᵀx_j),
//
// with k the Brownian kernel. It has an origin: center X first, as fit() does.
#pragma once

#include <string>

#include "bkernn/fit_input.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/types.hpp"

namespace bkernn::theory {

using Sphere =
    Norm;  // l2: its own dual norm, rotation invariant. l1: dual norm ℓ∞, sparse particles

// "l2" or "l1"; anything else throws InvalidArgument.
Sphere sphere_from_name(const std::string& name);

// ‖x_i‖* of each row of X.
Vector dual_norms(const MatrixView& X, Sphere sphere);

// ---- What the bounds need to know about the distribution of X.

struct DataTerms {
  Index n = 0, d = 0;
  Sphere sphere = Sphere::l2;
  double root_mean_norm = 0;  // √E‖X‖*
  double root_max_norm = 0;   // (E max_i (‖X_i‖*)²)^¼
  double sigma = 0;           // σ: 1 + √‖X‖* is subgaussian with variance proxy σ²
};

// Lemma "data_dependent", 1: if ‖X‖* ≤ R almost surely, both roots are √R and σ = 1 + √R. (The
// statement of the lemma says σ² ≤ 1 + √R, its proof σ² ≤ (1 + √R)²; only the latter holds.)
DataTerms bounded_terms(Index n, Index d, Sphere sphere, double R);

// Lemma "data_dependent", 2: the variables X_a are subgaussian with variance proxies σ_a², not
// necessarily centered or independent. With S = Σ σ_a² and M = max σ_a,
//
//   ℓ2:  √E‖X‖₂ ≤ √6 S^¼,
//        (E max‖X_i‖₂²)^¼ ≤ 4 (1 + log n)^¼ S^¼,
//        σ = 1 + Σ σ_a;
//
//   ℓ1:  √E‖X‖∞ ≤ 4 (log d)^¼ √M,
//        (E max‖X_i‖∞²)^¼ ≤ 4 (1 + log nd)^¼ √M,
//        σ² = 2 + M² (1 + √log 2d)².
//
// For d = 1 the lemma's log d is 0, a bound that no variable satisfies; log 2 is used instead.
DataTerms subgaussian_terms(Index n, Sphere sphere, const Vector& sigma_a);

// The same three numbers for the sample: averages and maxima over the rows of X in place of
// expectations, and the smallest σ that the sample satisfies (subgaussian_sigma of 1 + √‖x_i‖*).
// Weights count rows; n is their sum, rounded.
DataTerms empirical_terms(const MatrixView& X, Sphere sphere, const Vector* weights = nullptr);

// The smallest σ with
//
//   P(|Z| ≥ t) ≤ 2 exp(−t²/2σ²)    for all t > 0
//
// under the empirical distribution of z:
//
//   σ² = max_i z_i² / (2 log(2 / P(|Z| ≥ |z_i|))).
//
// Definition "subgaussian" has no factor 2 and bounds each tail separately. No variable that is at
// least 1, such as 1 + √‖X‖*, can satisfy it at t ≤ 1. With the factor it is the definition of
// Vershynin (2018) that the proofs use, and |Z| ≤ B gives σ² ≤ B²/(2 log 2), as they say.
double subgaussian_sigma(const Vector& z, const Vector* weights = nullptr);

// ---- Bounds on G_n.

// Theorem "dim":
//
//   8 √(d/n) √log(n + 1) √E‖X‖*.
double dimension_dependent_bound(const DataTerms& terms);

// The sharper bound in its proof:
//
//   2 √(d/n) (√(log(1 + n/2d) + 1/2d) + 1) √E‖X‖*.
double sharp_dimension_dependent_bound(const DataTerms& terms);

// Theorem "dim_indep":
//
//   6 n^(−1/6) (1 for ℓ2, (log 2d)^¼ for ℓ1) (E max_i (‖X_i‖*)²)^¼.
double dimension_independent_bound(const DataTerms& terms);

// The smaller of the bounds of the two theorems, which theorem "last" uses.
double gaussian_complexity_bound(const DataTerms& terms);

// ---- G_n itself.

struct ComplexityOptions {
  Index draws = 20;    // of ε
  Index restarts = 8;  // ascents in w for each draw, besides the deterministic one
  int max_iter = 100;  // steps of each ascent
  std::uint64_t seed = 0;
  int n_threads = 0;  // 0: all cores; the result does not depend on it

  void validate() const;
};

struct ComplexityEstimate {
  double value = 0;           // mean over the draws
  double standard_error = 0;  // of that mean; 0 for one draw
  Vector suprema;             // sup_w √(εᵀK^(w)ε)/n of each draw
  Matrix maximizers;          // d×draws: the w found
};

// Monte Carlo estimate of G_n for these rows. (For the expectation over the data, average over
// several samples X.) For each ε,
//
//   q(w) = εᵀK^(w)ε
//
// is piecewise linear and positively 1-homogeneous in w, but not concave. It is maximized by
// projected gradient ascent on the sphere, from
//
//   good random starts,
//   Σ ε_i x_i, the best w for linear g, and,
//   on the ℓ1 sphere, the unit vectors.
//
// Steps grow after a success and halve after a failure. The result is a local maximum, so the
// estimate may be too low.
//
// A row x_0 = 0 with ε_0 = −Σ ε_i is appended. It adds nothing, because k(0, ·) = 0, and makes ε
// sum to 0, so that the kernel operator of the fit applies. By Euler's identity q(w) = wᵀ∇q(w): one
// gradient of the operator also gives the values, for all starts at once. A step takes
// O(restarts · n (d + log n)).
ComplexityEstimate estimate_gaussian_complexity(const MatrixView& X, Sphere sphere,
                                                const ComplexityOptions& options = {});

// εᵀK^(w_j)ε for each column w_j of W, and its gradient in w_j if `gradient` is given (d×m).
Vector brownian_quadratic_form(const MatrixView& X, const Matrix& W, const Vector& epsilon,
                               Matrix* gradient = nullptr);

// ---- The risk.

// Lemma "rademacher_without_integral": the Gaussian complexity of {f : Ω(f) ≤ D} is at most
//
//   D (1/√n + G_n).
double ball_complexity(double D, double n, double G_n);

// Theorem "last":
//
//   λ = 12 L (1/√n + G_n) + (288 L σ/√n) √log(1/δ).
double regularization(double L, double n, double G_n, double sigma, double delta);

// With this λ, with probability 1 − δ,
//
//   R(f̂) − R(f*) ≤ 24 Ω(f*) L (1/√n + G_n + (24 σ/√n) √log(1/δ)) = 2 λ Ω(f*).
double excess_risk_bound(double L, double n, double G_n, double sigma, double delta,
                         double penalty_of_best);

// L of theorem "last": Loss::lipschitz_constant for targets that the loss can take. (For (y − f)²,
// which has no largest slope, the paper's 2 sup|y| + 4 Ω(f*) sup‖x‖* needs the unknown Ω(f*).)
double lipschitz_constant(const std::string& loss, const LossParameters& parameters,
                          const MatrixView& Y);

struct TheoryOptions {
  double delta = 0.05;               // δ: the bound may fail with this probability
  double lipschitz = 0;              // L; 0: lipschitz_constant
  double sigma = 0;                  // σ; 0: from the data, empirical_terms
  std::string complexity = "bound";  // G_n: bound (both theorems) | monte_carlo
  ComplexityOptions monte_carlo;

  void validate() const;
};

// All that goes into the λ of theorem "last" for a fit, in the coordinates of fit(): X centered
// and, with standardize, scaled; y in units of its spread. The theorem is about the Brownian kernel
// and Ω₀, which is basic (ℓ2 sphere) or basic_l1 (ℓ1). Other penalties use the λ of the ℓ2 sphere,
// other kernels throw.
struct TheoryReport {
  DataTerms terms;
  double lipschitz = 0, delta = 0;
  double dimension_dependent = 0, dimension_independent = 0;  // the two bounds on G_n
  double complexity = 0;                                      // the G_n used
  double lambda = 0;                                          // as the standardized problem sees it
  double regularization = 0;                                  // λ in the units of y
};
TheoryReport describe(const FitInput& input, const FitOptions& fit_options,
                      const TheoryOptions& options = {});

}  // namespace bkernn::theory

namespace bkernn {

// λ of theorem "last" for these data, in the units of y; used if FitOptions::regularization_rule is
// "theory". With the constants of the theorem it is far larger than what predicts well, because the
// bound is about the worst distribution. For any n that fits in memory it is usually above the λ at
// which the constant is the best model. It is useful for its rate, and as the upper end of a path.
double theory_regularization(const FitInput& input, const FitOptions& options);

}  // namespace bkernn
