// How far y may lie from a prediction: intervals, and for classes sets of them.
//
// Rows that a model has not seen tell how wrong it is. A calibration keeps the errors of such rows,
// and every coverage can be asked of it. There are three (FitOptions::intervals):
//
//   cross     The rows are dealt in K folds, and f₋ₖ is fitted without fold k, with the λ (for
//             fewer rows) and the penalty of the fit. Row i, in fold k(i), has the error
//             E_i = |y_i − f₋ₖ₍ᵢ₎(x_i)|. With n rows and coverage 1 − a,
//
//               upper(x) = the ⌈(1 − a)(n + 1)⌉-th smallest of the f₋ₖ₍ᵢ₎(x) + E_i,
//
//             and lower(x) likewise, from above, of the f₋ₖ₍ᵢ₎(x) − E_i. It is CV+ (Barber, Candès,
//             Ramdas, Tibshirani 2021): for rows that are drawn alike, coverage is at least
//             1 − 2a − √(2/n) whatever the data, and near 1 − a in practice.
//   quantile  The same with quantiles: f₋ₖ is a pair, of the 5% and the 95% quantile, and
//             E_i = max(low₋ₖ(x_i) − y_i, y_i − high₋ₖ(x_i)), which may be negative. The promise is
//             that of cross, and the intervals follow the noise where it changes with x
//             (conformalized quantiles: Romano, Patterson, Candès 2019).
//   fast      No further fit: f₋ᵢ is the kernel regression without row i at the W that was found,
//             in closed form. With h_i the leverage of row i,
//
//               f₋ᵢ(x_i) = f(x_i) + h_i/(1 − h_i) · g_i/D_i,   E_i = |y_i − f₋ᵢ(x_i)|,
//
//             g and D being slope and curvature of the loss (square loss: E_i = |r_i|/(1 − h_i)).
//             The interval is f(x) ± the quantile of E. It promises nothing, because W has seen
//             row i: the intervals are too narrow (on real tables about 0.83 where 0.9 was asked).
//             Exact up to 1,000 rows. Beyond, h_i is that of 1,000 rows in place of all (Nyström),
//             and at most 5,000 rows have errors.
//
// Sets of classes (cross only): E_i = 1 − p₋ₖ₍ᵢ₎(y_i | x_i), and class c belongs to the set of x
// unless ⌈(1 − a)(n + 1)⌉ rows or more have E_i < 1 − p₋ₖ₍ᵢ₎(c | x). The promise is the same.
//
// Rows of weight 2 count twice. Equal rows share a fold, and so do groups if the caller deals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bkernn/model.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// Errors of rows that a model has not seen, in the units of y.
struct HeldOutErrors {
  Vector sizes;   // increasing
  Vector counts;  // how many rows have at most this error

  // Errors in any order, and how often each counts.
  static HeldOutErrors sorted(const Vector& errors, const Vector& weights);

  double total() const { return counts.size() > 0 ? counts(counts.size() - 1) : 0; }
  double count_below(double size) const;  // < size
};

struct CalibrationPart {
  std::optional<Model> model;         // none (fast): the model that is calibrated
  std::vector<HeldOutErrors> errors;  // one per output; for classes one
};

struct Calibration {
  std::string method;                  // cross, quantile or fast
  std::vector<CalibrationPart> parts;  // one per fold; fast: one

  double rows() const;  // that have errors, by weight

  // Throws InvalidArgument if the parts do not suit one another or this model.
  void validate(const Model& model) const;
};

const std::vector<std::string>& interval_methods();

}  // namespace bkernn
