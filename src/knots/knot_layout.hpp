// Piecewise-linear functions on knots: where the knots of each particle stand, where rows stand
// between them, and how the values at the knots of all particles are numbered.
//
// Particle j has knots t_1 < … < t_Q and the unknown values θ_j at all of them but the first, where
// the function is 0 (the intercept is free). The unknowns of all particles stand one after the
// other. Row i stands at place_ij = segment + fraction between the knots: a sparse row of B_j. The
// roughness of the functions is θᵀ diag(P_1 … P_m) θ, where P_j, the inverse of the Brownian kernel
// of the knots, is the stiffness matrix of a string: tridiagonal, a spring of strength 1/gap
// between each two neighbors.
#pragma once

#include <vector>

#include "base/fixed_point.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

using Knots = std::vector<Vector>;                                    // per particle, increasing
using Places = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;  // rows × particles

// At most Q increasing knots from `low` to `high`, the extremes of all projections: the distinct
// values of the sample if they are no more; else knots that bound both the rows and the length of a
// segment, quantiles of the mean of the uniform measure and that of the sample. (Where f is smooth,
// the best density of knots goes with the fifth root of that of the rows; quantiles alone leave the
// tails to long segments.)
Vector choose_knots(Vector sample, double low, double high, Index Q);

// The place of each projection between the knots t: p and place have n entries, of float or double.
// The last knot is a segment of its own.
template <class Place>
void place_on_knots(const Vector& t, Index n, const double* p, Place* place);

class KnotLayout {
 public:
  KnotLayout() = default;  // of no particles
  explicit KnotLayout(Knots t);

  Index particles() const { return static_cast<Index>(t_.size()); }
  const Vector& knots(Index a) const { return t_[a]; }
  Index most_knots() const { return most_knots_; }  // of a particle

  // Of all particles; of particle a, and the first of those.
  Index unknowns() const { return first_.back(); }
  Index unknowns(Index a) const { return first_[a + 1] - first_[a]; }
  Index first(Index a) const { return first_[a]; }

  // The places of projections P, rows × particles.
  Places place(const Matrix& P) const;

  // y += stiffness·diag(P_1 … P_m) x for the columns of x, unknowns × q or more rows.
  void add_stiffness(double stiffness, const Matrix& x, Matrix& y) const;

  // body(right, has_left, spring) for every spring of diag(P_1 … P_m), times `stiffness`: it is
  // tied to unknown `right`, and to unknown right − 1 or, at the first knot, to 0.
  template <class Body>
  void for_springs(double stiffness, const Body& body) const {
    for (Index a = 0; a < particles(); ++a) {
      const Vector& t = t_[a];
      for (Index k = 0; k + 1 < t.size(); ++k)
        body(first_[a] + k, k > 0, stiffness / (t(k + 1) - t(k)));
    }
  }

  // Between the unknowns and the tables of loops.hpp (column `column` and on, one per particle):
  // what the unknowns get of the values scattered onto a table, and the table of the functions with
  // values θ.
  void masses_of_table(const Matrix& table, Index column, Eigen::Ref<Vector> theta) const;
  void masses_of_table(const IntegerMatrix& table, Index column,
                       Eigen::Ref<IntegerVector> theta) const;
  void lines_into_table(const Eigen::Ref<const Vector>& theta, Matrix& table, Index column) const;

 private:
  template <class Table, class Theta>
  void find_masses(const Table& table, Index column, Theta& theta) const;

  Knots t_;
  std::vector<Index> first_{0};  // unknown of each particle, and their number
  Index most_knots_ = 0;
};

}  // namespace bkernn
