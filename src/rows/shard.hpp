// Rows that lie together, and the passes over them that a fit on knots is made of. Whatever is
// asked, the answer is as small as the particles and knots: rows on other machines are no different
// from rows here (distributed.hpp).
//
// The unknowns x, (unknowns + 1) × q: the values θ of (1/m)h_j at the knots
// (knot_normal_matrix.hpp), and in the last row the intercept c. So f = B θ + c, and with
// g_i = s_i ∂ℓ/∂f_i and the curvature H_i of Loss::derivatives
//
//   evaluate   Σ_i s_i ℓ(y_i, f_i),   Bᵀg and 1ᵀg
//   product    BᵀHB and what belongs to the intercept, times a vector like x
//   gradient   Σ_i (Σ_q g_iq f'_jq(w_jᵀz_i)) z_i for each particle j, with
//              f_j = (1/m)h_j: n ∂G/∂w_j of the lemma derivative_of_G, since nλ α_i = −g_i at the
//              optimum
//
// These three are sums over rows in the quanta that are asked for (fixed_point.hpp), the same bits
// however the rows are shared out.
#pragma once

#include "bkernn/loss.hpp"
#include "bkernn/types.hpp"
#include "knots/knot_normal_matrix.hpp"
#include "knots/knot_tables.hpp"

namespace bkernn {

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

// All rows of a fit, wherever they lie.
class Shards {
 public:
  virtual ~Shards() = default;

  // Takes particles W (d×m, none zero). Gives the largest −p and the largest p of each, 2×m.
  virtual Matrix extremes(const Matrix& W) = 0;

  // Takes knots, whose ends are the extremes: null for those of the last time.
  virtual Evaluation evaluate(const Knots* t, const Matrix& x, double quantum) = 0;

  // With the curvature where it was evaluated last.
  virtual Matrix product(const Matrix& v, double quantum) = 0;

  // Where it was evaluated last, d×m, with a quantum for each particle.
  virtual Matrix gradient(const RowVector& quanta) = 0;

  // g where it was evaluated last, n×q; empty if the rows are elsewhere.
  virtual Matrix loss_gradient() const { return {}; }
};

// Those of one place.
class Shard final : public Shards {
 public:
  // Z n×d, Y n×q and weights s > 0, which must outlive it, as must the loss.
  Shard(const Matrix& Z, const Matrix& Y, const Vector& s, const Loss& loss);

  Matrix extremes(const Matrix& W) override;
  Evaluation evaluate(const Knots* t, const Matrix& x, double quantum) override;
  Matrix product(const Matrix& v, double quantum) override;
  Matrix gradient(const RowVector& quanta) override;

  Matrix loss_gradient() const override { return g_; }

  Index rows() const { return Z_.rows(); }

 private:
  void place(const Knots& t);
  void set_lines(const Matrix& x);
  Matrix unpack_sums(const IntegerMatrix& table, const IntegerVector& sums,
                     FixedPoint quantum) const;

  const Matrix& Z_;
  const Matrix& Y_;
  const Vector& s_;
  const Loss& loss_;
  const double max_abs_z_;
  KnotTables tables_;
  Knots t_;
  Places place_;      // the projections, until there are knots
  Matrix lines_;      // of the x evaluated last
  Matrix x_;          // evaluated last
  Matrix V_, g_, D_;  // n×q
};

}  // namespace bkernn
