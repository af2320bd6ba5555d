// The model of the objective near W,
//
//   q(U) = ⟨∇G, U − W⟩ + ½⟨U − W, B(U − W)⟩ + λΩ(U),
//
// B the curvature of the last steps (curvature.hpp). Its minimizer is the proximal quasi-Newton
// point, prox in the metric B of W − B⁻¹∇G. How much lower q is there than at W, relative to the
// objective, is our measure of stationarity: it is free of scale, and 0 where no direction leads
// down. (The norm of a plain proximal gradient step is no such measure here. It does not know that
// G curves a thousand times more in some directions than in others, and at the kinks of G it stays
// large however close W is to the minimum.)
//
// q is minimized by spectral proximal gradient steps of its own. They need no pass over the rows:
// a product with B and a prox each.
#pragma once

#include "bkernn/penalty.hpp"
#include "bkernn/types.hpp"
#include "outer/curvature.hpp"

namespace bkernn {

// What q is made of: W with Ω there, ∇G, the curvature (at least one pair), and λ·penalty_weight.
struct LocalModel {
  const Matrix& W;
  double penalty_at_W;
  const Matrix& gradient;
  const CurvaturePairs& pairs;
  const Penalty& penalty;
  double weight;
};

// The share of a predicted decrease that a step must bring, here and in the outer loop.
constexpr double kSufficient = 1e-4;

struct ModelMinimum {
  Matrix U;
  double penalty = 0;   // Ω(U)
  double slope = 0;     // ⟨∇G, U − W⟩ + λΩ(U) − λΩ(W) ≤ 0
  double decrease = 0;  // q(W) − q(U) ≥ 0
};

// With at most so many proxes.
ModelMinimum minimize(const LocalModel& model, int proxes);

// How many proxes are worth an evaluation of G with so many rows, d×m being the size of W.
int proxes_per_evaluation(Index rows, Index d, Index m);

}  // namespace bkernn
