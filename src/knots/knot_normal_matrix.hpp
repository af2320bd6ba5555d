// The inner problem of the piecewise-linear functions on given knots, as a matrix.
//
// Particle j has knots t_1 < … < t_Q and the unknown values θ_j at all of them but the first, where
// the function is 0 (the intercept is free). Row i stands at place_ij = segment + fraction between
// the knots: a sparse row of B_j. With weights D of the rows, the intercept eliminated,
//
//   N = Bᵀ(D − D11ᵀD/1ᵀD1)B + stiffness·diag(P_1 … P_m)
//
// where P_j, the inverse of the Brownian kernel of the knots, is the stiffness matrix of a string:
// tridiagonal, made of the reciprocal gaps. The blocks of BᵀDB are two-dimensional histograms of
// the places of two particles, which take O(n m²).
#pragma once

#include <Eigen/Cholesky>
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

// The place of each projection between the knots t: p and place have n entries. The last knot is a
// segment of its own.
void place_on_knots(const Vector& t, Index n, const double* p, float* place);

// Where the unknowns of each particle begin; one entry more than particles, the last is their
// number.
std::vector<Index> first_unknowns(const Knots& t);

Index most_knots(const Knots& t);

// Between the unknowns of all particles and the tables of knot_passes.hpp (column `first` and on, one per
// particle): what the unknowns get of the values spread over a table, and the table of the
// functions with values θ.
void masses_of_table(const Knots& t, const Matrix& table, Index first, Eigen::Ref<Vector> theta);
void masses_of_table(const Knots& t, const IntegerMatrix& table, Index first,
                     Eigen::Ref<IntegerVector> theta);
void lines_into_table(const Knots& t, const Eigen::Ref<const Vector>& theta, Matrix& table,
                      Index first);

// y += stiffness·diag(P_1 … P_m) x for the columns of x, unknowns × q.
void add_stiffness(const Knots& t, double stiffness, const Matrix& x, Matrix& y);

class KnotNormalMatrix {
 public:
  KnotNormalMatrix(const Places& place, const Knots& t, const Vector& D, double stiffness);

  // θ ← N⁻¹ θ.
  void solve(Vector& theta) const {
    if (theta.size() > 0) factor_.solveInPlace(theta);
  }

  Index unknowns() const { return masses_.size(); }
  const Vector& masses() const { return masses_; }  // Bᵀ D 1
  double total() const { return total_; }           // 1ᵀ D 1

 private:
  void add_histograms(Matrix& N, const Places& place, const Knots& t, const Vector& D) const;

  std::vector<Index> first_;
  Vector masses_;
  double total_;
  Eigen::LLT<Matrix> factor_;
};

}  // namespace bkernn
