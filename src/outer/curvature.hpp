// The curvature of G along the last steps: the limited-memory BFGS matrix
//
//   B = σI − P N Pᵀ,   P = [σS, Y],   N⁻¹ = [σSᵀS, L; Lᵀ, −D],
//
// of the pairs S = (ΔW), Y = (Δ∇G), one to a column, newest last. L is the strictly lower part of
// SᵀY and D its diagonal. B is positive definite, because only pairs with ⟨ΔW, Δ∇G⟩ > 0 are kept.
//
// σ stands for all directions that no pair has seen: σ = ‖Δ∇G‖/‖ΔW‖ of the newest pair, between
// the two lengths of Barzilai and Borwein. G has kinks, so the larger one, ‖Δ∇G‖²/⟨ΔW, Δ∇G⟩,
// makes for timid steps, and the smaller one for steps that overshoot.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn {

// A matrix of d·m × k numbers each, empty for none.
struct CurvaturePairs {
  Matrix steps, changes;  // S, Y

  Index size() const { return steps.cols(); }

  // Adds ΔW, Δ∇G unless G does not curve upwards there; the oldest of more than kMost are
  // forgotten.
  void add(const Matrix& step, const Matrix& change);

  double sigma() const;  // of the newest pair

  void forget() { steps.resize(0, 0), changes.resize(0, 0); }

  static constexpr Index kMost = 20;
};

class Curvature {
 public:
  // `pairs` has at least one, and must outlive it.
  explicit Curvature(const CurvaturePairs& pairs);

  // B V for a V as large as W.
  Matrix times(const Matrix& V) const;

 private:
  const CurvaturePairs& pairs_;
  double sigma_;
  Matrix N_;  // 2k×2k
};

}  // namespace bkernn
