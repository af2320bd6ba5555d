// How sure are directions, variables and their number? Fits of other rows tell.
//
// Halves. The rows are cut into two halves, n_pairs times, and every half is fitted with the
// penalty and the λ (for half of the rows) of the fit of all rows. Another seed would test the
// optimizer; another half tests the sample. With the k leading directions P of all rows (k: the
// dimension, see below) and those of a half, both orthonormal in the coordinates of the model,
//
//   angles      the k principal angles between both spaces, estimates of the central mean subspace:
//               arccos of the singular values of PᵀP_half, 90° for directions that a half lacks
//   directions  P with an interval for each entry: quantiles over the halves, each turned to be as
//               near to P as it can (Procrustes), which also aligns signs
//   selection   the share of halves in which a variable is selected: its row of W is longer than a
//               tenth of the longest
//
// Of a table with words or gaps (columns.hpp) directions have a weight for each coordinate, and
// what is selected is a column, by Model::column_sizes(). The encoder, which looks at no y, is that
// of all rows.
//
// The halves have half of the rows, so all of this errs on the side of too much doubt.
//
// Error bound (Shah and Samworth 2013, complementary pairs). Let q be the mean number of variables
// that a half selects, d their number, and call noise what a half selects with
// probability q/d at most. The expected number of noise variables that τ of the halves select is
// at most
//
//   q² / ((2τ − 1) d),
//
// whatever the data and the procedure.
//
// How many directions. In each of n_folds folds the rows outside are fitted, W is projected on its
// k leading directions, for k = 0, 1, 2, …, and the functions are learned again. The loss of the
// held-out rows says what k directions are worth. "One more direction helps" is judged by the
// differences of the held-out rows' losses: if it did not, the losses of a row could as well be
// exchanged, so the p-value is the share of random signs whose sum is as large. The dimension is
// the first k whose next direction does not help, at 5%.
//
// That takes no further fit, and it judges the directions of the fit: where λ is too small the k
// leading ones are off, and another one does help to predict, though y depends on no more than k.
// `n_refits` asks that question of y (Cook and Yin 2001): what lies beside the k leading directions
// is permuted among the rows, which leaves what those tell of y and makes the rest noise; every
// permuted table is fitted in all folds again, at the same λ, and the p-value is the share of
// tables in which one more direction lowers the loss as much.
#pragma once

#include <string>

#include "bkernn/fit.hpp"

namespace bkernn {

struct StabilityOptions {
  int n_pairs = 25;          // of halves: twice as many fits; 0: none
  double threshold = 0.75;   // τ in (½, 1]
  double coverage = 0.9;     // of intervals and of the quantiles of angles
  int n_folds = 5;           // at least 2
  int n_permutations = 999;  // of signs, at least 19
  int n_refits = 0;          // permuted tables for each direction, at least 19; 0: signs alone
  std::uint64_t seed = 0;    // of halves, folds and permutations

  void validate() const;
};

// Held-out loss with k = 0, 1, 2, … directions.
struct DimensionCurve {
  Vector loss;            // mean, of each k
  Vector standard_error;  // of that mean
  Vector p_value;         // of direction k + 1: one entry less; by signs where none was refitted
  Index dimension = 0;

  // "3 directions: the third lowers the held-out loss (p = 0.001), a fourth does not (p = 0.61)."
  std::string sentence() const;
};

struct StabilityResult {
  FitResult fit;         // of all rows
  Index halves = 0;      // that were fitted
  Matrix angles;         // halves × k, in degrees, increasing
  Matrix angle_levels;   // 3×k: low, middle and high quantile
  Matrix directions;     // d×k, …
  Matrix lower, upper;   // … and the ends of the intervals
  Vector selection;      // one for each column
  double selected = 0;   // q
  double threshold = 0;  // τ
  double coverage = 0;   // of the intervals
  double bound = 0;      // on the expected number of noise variables above τ
  DimensionCurve curve;
  double seconds = 0;
  bool stopped = false;  // the observer ended it: what is missing is empty
};

class StabilityObserver {
 public:
  virtual ~StabilityObserver() = default;

  // Called on the calling thread, often. Returning false stops.
  virtual bool on_progress(int finished, int fits) = 0;

  // Called on the calling thread many times in every fit. An exception abandons all.
  virtual void on_work() {}
};

// λ and penalty are chosen by the fit of all rows, if they are open. All cores; the result is the
// same on any number of them.
StabilityResult stability(const FitInput& input, const FitOptions& fit_options = {},
                          const StabilityOptions& options = {},
                          StabilityObserver* observer = nullptr);

}  // namespace bkernn
