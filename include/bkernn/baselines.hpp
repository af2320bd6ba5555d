// The two methods that the paper compares BKerNN with. Neither learns features as BKerNN does: the
// first has none, and nothing makes those of the second few.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn {

// Kernel ridge regression with the multi-dimensional Brownian kernel and a free intercept:
//
//   minimize (1/2n) Σ_i s_i ‖y_i − f(x_i)‖² + (λ/2) tr(αᵀKα),
//   f = Kα + c,   K_ij = (‖x_i‖ + ‖x_j‖ − ‖x_i − x_j‖) / 2,
//
// with weights s_i ≥ 0 (null: all 1), by which row i counts s_i times, and n = Σ s_i. With s = 1
// the solution is that of lemma "fixed_K",
//
//   α = (K̃ + nλI)⁻¹ ỹ,   c = mean(y) − mean(Kα),   K̃ = ΠKΠ,  ỹ = Πy,  Π = I − 11ᵀ/n.
//
// With weights the same holds for S½KS½, S½y and S^−½α, where Π projects away from the square roots
// of the weights instead of 1.
//
// In both cases 1ᵀα = 0, so ‖x‖ and ‖x'‖ contribute only a constant, and −‖x − x'‖/2 serves as the
// kernel; the intercept below belongs to this kernel. The fit depends on distances only, so
// shifting X changes nothing.
//
// The solver is dense: it stores n² numbers and takes n³/3 operations.
struct BrownianKernelRidge {
  Matrix X;             // n×d training rows
  Matrix alpha;         // n×q; 0 for rows of weight 0
  RowVector intercept;  // q

  // X n×d and Y n×q, finite; regularization is λ > 0. n_threads = 0 means all cores; the result
  // does not depend on it.
  static BrownianKernelRidge fit(const MatrixView& X, const MatrixView& Y, double regularization,
                                 const Vector* weights = nullptr, int n_threads = 0);

  // f(x) = intercept − ½ Σ_i ‖x − x_i‖ α_i for each row, n×q.
  Matrix predict(const MatrixView& X, int n_threads = 0) const;
};

struct ReLUNetworkOptions {
  Index n_neurons = 50;     // m
  double step_size = 0.01;  // γ
  Index batch_size = 16;    // if larger than the number of rows: all rows
  Index n_iter = 2500;      // steps, not passes; 0: the network as initialized
  std::uint64_t seed = 0;

  // Throws InvalidArgument that names the option, its value and the constraint.
  void validate() const;
};

// A network with one hidden layer,
//
//   f(x) = Σ_j η_j (w_jᵀx + b_j)₊,
//
// trained by stochastic gradient descent on all its parameters. Every step is −γ times the gradient
// of (1/2B) Σ ‖y − f(x)‖² over a mini-batch of B rows. The rows are shuffled, cut into batches (an
// incomplete last one is left out) and shuffled again when they are used up. The derivative of (·)₊
// at 0 is taken to be 0.
//
// At the start w_j is uniform on the unit sphere, b_j is uniform on [−1, 1], and η_j ~ N(0, 2/m).
// As in the published experiments there is no output bias and no factor 1/m, so a target with a
// large mean should be centered first.
struct ReLUNetwork {
  Matrix W;     // d×m, the hidden directions: feature_learning_score() takes them
  RowVector b;  // m
  Matrix eta;   // m×q

  // Throws NumericalError if the parameters overflow, because the step size is too large.
  static ReLUNetwork fit(const MatrixView& X, const MatrixView& Y,
                         const ReLUNetworkOptions& options = {});

  // f(x) for each row, n×q. n_threads = 0 means all cores; the result does not depend on it.
  Matrix predict(const MatrixView& X, int n_threads = 0) const;
};

}  // namespace bkernn
