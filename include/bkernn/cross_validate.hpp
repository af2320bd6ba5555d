// Choosing λ, and with it penalty, s, m or kernel, by cross-validation over a path of λ.
//
// Where the path begins. It begins at λ_max, the smallest λ at which the constant model is optimal,
// and falls geometrically. Let g_i = s_i ∂ℓ/∂f(y_i, c) be the loss gradient at the best constant c.
// Near W = 0 the envelope theorem gives, with K_W = (1/m) Σ_j K^(w_j),
//
//   G(W) = G(0) − tr(gᵀK_W g) / (2n²λ) + …,
//
// and G is convex in K, so the first two terms are a lower bound for every W. Hence W = 0 is
// optimal if and only if
//
//   tr(gᵀK_W g) ≤ 2n²λ² Ω(W)    for all W.
//
// Since K^(w) is 1-homogeneous, the worst W repeats one direction m times, and for every penalty
// the condition becomes
//
//   λ ≥ λ_max = sup_{‖w‖ = 1} √(tr gᵀK^(w)g) / n
//
// with ‖·‖ the particle_norm() of the penalty, ℓ1 or ℓ2 (divided by √penalty_weight, if that is not
// 0). It is the supremum of the Gaussian complexity with g in place of noise (theory.hpp) and is
// found by the same ascent. For the concave penalties, whose slope at 0 is that of the convex ones,
// it is where W = 0 ceases to be a local minimum. Another kernel is at most its brownian_bound() c
// times the Brownian one on vectors with sum 0, so √c times this λ is large enough for it. (For the
// exponential kernel c = 1 and it touches the Brownian one at W = 0: λ_max is exact.)
//
// Where a fit starts. G is not convex in W, and a direction that a large λ has removed rarely comes
// back when λ falls. With W handed from one λ to the next, the best held-out R² along the path was
// 0.67 where fits from W₀ reach 0.965 (multi_index, n = 400); with some of W₀ mixed in it was still
// 0.775 against 0.792 over ten data sets. Going up from the smallest λ would begin with an
// overfitted W. So every fit of a fold starts from the same W₀ (`start` = "shared"). It is cheap
// for other reasons: the rows are prepared and the operator is made once per fold, 30 iterations
// find as good a λ as 200 do, and the path ends when the score has clearly passed its best. The
// last fit, on all rows, has the full number of iterations.
//
// Many rows. Where no path is asked for and there are more than twice the rows of a race (3,000, or
// 1,500 of more than two classes), the paths are walked on a sample of as many rows, which has its
// share of each fold. There the best point, and those of other candidates that are not behind it by
// more than one standard error of the difference, are fitted once more, to the end. Then λ is
// carried to all rows by its law, and goes up by twos while that helps, or else down: two to four
// points. With a concave penalty it never goes down, because fits that stop early favor a small λ
// (on a noisy table the last fit, which does not stop, had R² 0.53 with λ of the sample and 0.36
// with half of it).
//
// A fit of all rows without a fold goes on, coarse to fine, from what the sample without that fold
// has learned at the nearest λ, so that nothing of a fold is seen before it is scored. It takes 15
// iterations at most in each stage: at 16,000 rows it predicts better so than after 30 from W₀, in
// as much time. Scores of the sample and of all rows stand in different paths (PathScores::rows),
// and the choice is made among those of all rows.
//
// Folds run in parallel, and the loops inside a fold on one thread. The result is the same on any
// number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bkernn/fit.hpp"
#include "bkernn/folds.hpp"
#include "bkernn/options.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct CrossValidateOptions : FoldOptions {
  int n_lambdas = 0;            // points of the path; 0: as many as roughly halve λ each time
  double ratio = 0;             // λ_min/λ_max in (0, 1); 0: down to 1/25 of the likely λ
  std::vector<double> lambdas;  // the path itself, in the units of y; replaces both

  // For any target: loss, the mean loss (with y in units of its spread where the fit standardizes).
  // For numbers: r2 | mse | rmse | mae | pinball. For classes: accuracy | log_loss.
  std::string scorer = "loss";
  // Choose the largest λ whose score is within one standard error of the best.
  bool one_standard_error = false;

  // shared: every fit starts from W₀ | previous: from W and α of the next larger λ.
  std::string start = "shared";
  int fold_iterations = 30;  // of a fit inside a fold, at most; 0: as many as the options say
  // A path ends after so many λ without a better mean score, if the score is then one standard
  // error below the best; 0: never.
  int patience = 3;
  bool refit = true;  // fit all rows with what was chosen
  // The refit is the mean of one fit per fold, each without that fold and from its own W₀: as for
  // FitOptions::n_models, one model.
  bool ensemble = false;

  void validate() const;
};

// The scores of one candidate along its path, as far as it was followed.
struct PathScores {
  FitOptions options;
  int candidate = 0;             // its number
  Index rows = 0;                // that took part: all, or those of the sample
  Vector lambdas;                // decreasing, in the units of y
  Matrix scores;                 // λ × folds, of held-out rows (weighted)
  Vector mean;                   // over folds
  Vector standard_error;         // of the mean: standard deviation over folds / √folds
  Vector active;                 // mean number of particles that are not 0
  Index best = 0;                // the point with the best mean
  Index one_standard_error = 0;  // the first (largest λ) whose mean is within standard_error(best)
};

struct CrossValidateResult {
  // One per candidate, in order; empty if stopped before it. If these were walked on a sample,
  // those on all rows follow.
  std::vector<PathScores> paths;
  int candidate = -1;             // the chosen one; −1 if stopped before all rows were scored
  int path = -1;                  // the chosen one, always of all rows; the same
  Index point = -1;               // its chosen point
  FitOptions options;             // the chosen candidate with `regularization` set
  std::optional<FitResult> fit;   // on all rows; empty without refit or if stopped
  std::vector<int> fold_of_row;   // −1: in no fold (weight 0, or asked for)
  bool higher_is_better = false;  // r2 and accuracy
  bool stopped = false;
  int evaluations = 0;  // of G in all folds, the refit not included
  int inner_iterations = 0;
  double seconds = 0;  // refit included
};

struct CrossValidateProgress {
  int candidate = 0, n_candidates = 1;
  Index rows = 0;               // of the path
  int point = 0, n_points = 0;  // of the path; n_points: at most
  int done = 0, most = 0;       // points of all paths so far, and at most
  double regularization = 0;
  double mean = 0, standard_error = 0;
  int evaluations = 0;  // so far, all candidates
};

class CrossValidateObserver {
 public:
  virtual ~CrossValidateObserver() = default;

  // Called after every λ, on the calling thread. Returning false stops, with the results so far.
  virtual bool on_point(const CrossValidateProgress& progress) = 0;

  // Called now and then, on the calling thread, also during the refit. Returning false stops.
  virtual bool poll() { return true; }
};

// Compares the candidates: each follows its own path on the same folds, and the best mean score
// wins, of equal ones the first. A candidate whose penalty is "auto" stands for one with each of
// candidate_penalties(); where no path is asked for, the first of them has a whole path, and the
// others three points above and two below what is best so far. The candidates must have the same
// loss; n_threads is that of the first. input.resume must be null. Validation rows are used in the
// refit only.
CrossValidateResult cross_validate(const FitInput& input, const std::vector<FitOptions>& candidates,
                                   const CrossValidateOptions& options = {},
                                   CrossValidateObserver* observer = nullptr);

CrossValidateResult cross_validate(const FitInput& input, const FitOptions& fit_options = {},
                                   const CrossValidateOptions& options = {},
                                   CrossValidateObserver* observer = nullptr);

// λ_max for these data, in the units of y.
double largest_regularization(const FitInput& input, const FitOptions& options);

// The path that cross_validate() takes: decreasing, in the units of y.
Vector regularization_path(const FitInput& input, const FitOptions& fit_options,
                           const CrossValidateOptions& options = {});

const std::vector<std::string>& scorer_names();

}  // namespace bkernn
