// What can be chosen about a fit. Words outside, symbols inside: each option names the symbol it
// stands for.
#pragma once

#include <optional>
#include <string>

#include "bkernn/loss.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct FitOptions {
  // The problem:  minimize over W (d×m)   G(W) + λ·penalty_weight·Ω(W).
  // m. 0: by the number of rows, 3.2√n between 50 and 200, while n·m stays below a million.
  Index n_particles = 0;
  std::string penalty = "auto";          // Ω, see penalty.hpp; auto: chosen by held-out rows
  double concavity = 1.0;                // s ≥ 0 of the concave penalties
  double penalty_weight = 1.0;           // ≥ 0
  std::optional<double> regularization;  // λ > 0, in the units of y; empty: by regularization_rule
  // auto: chosen by held-out rows | rule (fit.hpp) | theory (theory.hpp): λ where none is given.
  std::string regularization_rule = "auto";
  std::string kernel = "brownian";  // see kernel.hpp
  std::string loss = "square";      // see loss.hpp
  LossParameters loss_parameters;   // with standardize, in units of the spread of y
  bool standardize = true;          // columns of X to unit variance, y to unit spread
  // none | uniform | normal: whether the numbers of X count by their values or by their ranks
  // (columns.hpp). auto: values, unless held-out rows are clearly better off with ranks; where
  // n_models > 1, any of the three may have a share of the mean. Where nothing else is chosen by
  // held-out rows (λ and the penalty are given), where the caller could not encode new rows
  // (FitInput::encoder), without standardize, with given W₀, and on knots, auto is none.
  std::string ranks = "auto";

  // Learning the directions W.
  std::string optimizer = "auto";  // auto | quasi_newton | spectral | paper
  int max_iter = 500;
  // The fit has converged when the objective promises to fall by no more than this, relatively
  // (FitReport::promised_decrease); 0: exactly max_iter iterations.
  double tol = 1e-3;
  double step_size = 500;  // γ₀ of the `paper` optimizer
  int max_halvings = 60;   // of a step in one line search
  // Watch the validation rows of FitInput and return the W best on them …
  bool early_stopping = false;
  int n_iter_no_change = 20;  // … stopping after so many iterations without improvement there
  // auto | direct | coarse_to_fine: whether W is learned on a sample of the rows first, then on
  // larger ones, up to a quarter of the rows, and last on all of them. Automatic: from 8,000 rows
  // (2,500 on knots, more for d > 100), unless tol = 0 or the optimizer is `paper`. A sample
  // has the larger λ of fewer rows; max_iter holds for each stage, and a sample need only settle
  // to 10 tol.
  std::string schedule = "auto";
  Matrix init;             // W₀, d×m; empty: N(0, 1/d)
  std::uint64_t seed = 0;  // of W₀ (and of the rows that knots are placed by)
  // Fits from so many W₀, which become one model: their mean is again a sum of functions of
  // directions. Functions lose the knots that move no prediction by 10⁻⁴ of the spread of y.
  Index n_models = 1;
  // k: f is fitted again within the space of the k leading directions of the first fit (or on its k
  // leading variables), where Ω is `basic`, which shrinks no direction of the space more than
  // another, and λ is chosen by held-out rows. Fewer if the first fit has fewer. 0: no second fit.
  Index n_directions = 0;

  // none | cross | quantile | fast: what Model::predict_interval() needs (intervals.hpp).
  std::string intervals = "none";

  // The inner problem, W fixed.
  std::string inner_solver = "auto";  // auto | cg | cholesky
  // auto | never | always: the preconditioner of conjugate gradients (a direct solve on a few knots
  // per particle; brownian kernel). Automatic: in solves that take long without it, and always on
  // knots.
  std::string preconditioner = "auto";
  double inner_tol = 0;  // relative residual of conjugate gradients; 0: chosen by the optimizer
  std::string kernel_operator = "auto";  // auto | sorted | knots | dense
  Index knots = 0;                       // Q ≥ 2 of the knots operator; 0: not used

  int n_threads = 0;  // 0: all cores. The result does not depend on it

  // Throws InvalidArgument, naming option, value and constraint, for anything that no data could
  // make right.
  void validate() const;
};

}  // namespace bkernn
