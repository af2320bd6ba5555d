// The preconditioner of knot_objective.hpp: made of a sample of rows at their places on the knots.
#pragma once

#include "knots/knot_normal_matrix.hpp"

namespace bkernn {

class KnotPreconditioner {
 public:
  // P are the projections of the sample, rows × particles, D its weights (summing to those of all
  // rows) and stiffness nλm.
  KnotPreconditioner(const Matrix& P, const KnotLayout& layout, const Vector& D, double stiffness);

  // M⁻¹ r for the columns of r, (unknowns + 1) × q with the intercept in the last row.
  const Matrix& apply(const Matrix& r);

  Index unknowns() const { return coarse_.unknowns(); }

 private:
  struct CoarseKnots {  // every few knots, the ends among them
    KnotLayout layout;
    std::vector<std::vector<Index>> index;  // of the coarse knots among the fine ones
    bool same;                              // as the fine ones
  };
  static CoarseKnots choose(const KnotLayout& layout, Index rows);

  template <class Body>
  void for_fine_knots(const Body& body) const;
  void add_fine(const Matrix& r, Matrix& z) const;

  const KnotLayout layout_;
  const CoarseKnots chosen_;
  KnotNormalMatrix coarse_;
  Vector diagonal_, below_;  // LDLᵀ of the tridiagonal blocks
  Matrix z_;
};

}  // namespace bkernn
