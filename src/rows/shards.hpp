// All rows of a fit, wherever they lie, and what a fit asks of them. Whatever is asked, the answer
// is as small as the particles and knots: rows on other machines are no different from rows here.
//
// First the rows are brought into the coordinates of the fit (find_coordinates.hpp), by
// describe(), weigh(), squares(), perhaps weight_below(), and standardize(), in this order.
//
// Then come the passes that a fit on knots is made of. The unknowns x, (unknowns + 1) × q: the
// values θ of (1/m)h_j at the knots (knot_layout.hpp), and in the last row the intercept c. So
// f = B θ + c, and with g_i = s_i ∂ℓ/∂f_i and the curvature H_i of Loss::derivatives
//
//   evaluate   Σ_i s_i ℓ(y_i, f_i),   Bᵀg and 1ᵀg
//   product    BᵀHB and what belongs to the intercept, times a vector like x
//   gradient   Σ_i (Σ_q g_iq f'_jq(w_jᵀz_i)) z_i for each particle j, with
//              f_j = (1/m)h_j: n ∂G/∂w_j of the lemma derivative_of_G, since nλ α_i = −g_i at the
//              optimum
//
// These three are sums over rows in the quanta that are asked for (fixed_point.hpp), the same bits
// however the rows are shared out. The sums of the preparation are ordinary ones; a fit on knots
// rounds what it makes of them.
#pragma once

#include <vector>

#include "bkernn/types.hpp"
#include "knots/knot_layout.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

// A number for each column of X (d) and of Y (q).
struct Columns {
  RowVector x, y;
};

struct RowTotals {
  Index n = 0;        // rows with a positive weight
  double weight = 0;  // Σ_i w_i
  Columns largest;    // |x_ia|, |y_ik|
};

struct RowSums {
  double weight = 0;  // Σ_i s_i
  Columns sum;        // Σ_i s_i x_i, Σ_i s_i y_i
};

struct Evaluation {
  double loss = 0;       // Σ_i s_i ℓ
  double squares = 0;    // Σ_i ‖g_i‖²/s_i
  double largest = 0;    // |g_iq|
  double curvature = 0;  // the largest H_iq
  double max_abs_z = 0;  // |z_ia|
  Matrix gradient;       // (unknowns + 1) × q, if all g_iq were within the reach of the quantum

  // That of more rows.
  void add(const Evaluation& more);
};

class Shards {
 public:
  virtual ~Shards() = default;

  virtual RowTotals describe() = 0;

  // The weights are s_i = factor·w_i from here on.
  virtual RowSums weigh(double factor) = 0;

  // Σ_i s_i (x_i − center)² and the same of y.
  virtual Columns squares(const Columns& center) = 0;

  // The weight of the rows with y_k ≤ each threshold.
  virtual Vector weight_below(Index k, const Vector& thresholds) = 0;

  // z = (x − center)/scale and the same of y (columns of scale 0 become 0); gives the largest ‖z‖.
  virtual double standardize(const Columns& center, const Columns& scale) = 0;

  // The rows with these numbers (increasing, from 0) among all rows.
  virtual StandardRows rows(const std::vector<Index>& numbers) = 0;

  // All rows, if they lie in this process.
  virtual const StandardRows* here() const { return nullptr; }

  // Takes particles W (d×m, none zero). Gives the largest −p and the largest p of each, 2×m.
  virtual Matrix extremes(const Matrix& W) = 0;

  // Takes knots, whose ends are the extremes: null for those of the last time.
  virtual Evaluation evaluate(const KnotLayout* layout, const Matrix& x, double quantum) = 0;

  // With the curvature where it was evaluated last.
  virtual Matrix product(const Matrix& v, double quantum) = 0;

  // Where it was evaluated last, d×m, with a quantum for each particle.
  virtual Matrix gradient(const RowVector& quanta) = 0;

  // g where it was evaluated last, n×q; empty if the rows are elsewhere.
  virtual Matrix loss_gradient() const { return {}; }
};

// `count` of the n rows of a fit, drawn by `seed`; their weights sum to their number.
StandardRows sample_rows(Shards& shards, Index n, Index count, std::uint64_t seed);

}  // namespace bkernn
