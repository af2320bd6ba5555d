// One-dimensional kernels k(a, b), the ones of Experiment 1 of the paper.
//
//   brownian     k(a, b) = (|a| + |b| − |a − b|) / 2     RKHS norm² ∫ h'², h(0) = 0;  1-homogeneous
//   exponential  k(a, b) = exp(−|a − b| / 2)
//   gaussian     k(a, b) = exp(−(a − b)² / 2)
//
// A particle w turns a row x into the projection p = wᵀx; the kernel sees only such numbers. With
// dual variables v (v_i belongs to row i, Σ v_i = 0 because the intercept is free) the particle's
// function is
//
//   h(p) = Σ_i v_i k(p, p_i).
//
// Since Σ v_i = 0, adding a(p) + b(p') to k changes h by a constant only; so the Brownian kernel
// may be replaced by −|a − b|/2 and only the *gaps between sorted projections* matter.
//
// Brownian and exponential kernels are Markov: between two neighboring knots h is fixed by its
// values at the two (a straight line; a combination of e^{p/2} and e^{−p/2}). That gives three
// things at once:
//   - all n values h(p_i) in O(n) once the projections are sorted (add_product),
//   - all n slopes h'(p_i) in O(n) (slopes), which the gradient in w needs,
//   - a fitted h that is stored as (knots, values) and evaluated without the training
//     data (evaluate).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

namespace loops {
class SegmentFinder;
}

// One particle's projections in increasing order, p_(1) ≤ … ≤ p_(n): order[k] is the row of
// p_(k+1), step[k] what the kernel has to know of the gap to the next one (see Kernel::steps).
struct SortedParticle {
  const std::int32_t* order;
  const double* step;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual std::string name() const = 0;

  // k(p_i, b) and ∂k/∂a(p_i, b) for i < n, to out. The derivative at a kink is the mean of both
  // sides.
  virtual void values(Index n, const double* p, double b, double* out) const = 0;
  virtual void derivatives(Index n, const double* p, double b, double* out) const = 0;

  // Whether the four functions for sorted projections exist; otherwise they throw.
  virtual bool is_markov() const { return false; }

  // step[k], k < n−1, from sorted projections: the gap p_(k+1) − p_(k), or the decay e^{−gap/2}.
  // step[n−1] = 0.
  virtual void steps(Index n, const double* sorted, double* step) const;

  // For each of `count` ≤ 4 particles and `outputs` = 1, 2 or 4 columns of v: adds h(p_i) to the
  // sums of row i. Row i of v_out is (v_i of each output, sum of each output), 2·outputs numbers:
  // values and sums stand side by side because both are visited in the same random order (one cache
  // miss instead of two). The Brownian h is the one with h = 0 at the leftmost projection:
  //   C_k = v_(1) + … + v_(k),   h_(k+1) = h_(k) − C_k (p_(k+1) − p_(k)).
  // Four particles advance together, so that their chains of dependent additions overlap.
  virtual void add_product(Index n, int count, const SortedParticle* particles, int outputs,
                           double* v_out) const;

  // out[i] += v_i h'(p_i), with h' at a kink the mean of the slopes on both sides (rows that share
  // a projection have no slope against each other). Brownian: h' = −(C before the tie group + C
  // after it)/2.
  virtual void add_slopes(Index n, const SortedParticle& particle, const double* v,
                          double* out) const;

  // h at the sorted projections, out[k] = h(p_(k+1)), for the h of add_product.
  virtual void knot_values(Index n, const SortedParticle& particle, const double* v,
                           double* out) const;

  // h(p_i), i < n, of a function stored as coefficients at increasing knots t. Markov kernels: the
  // coefficients are the values of h at the knots, and outside them h is constant (Brownian) or
  // decays (exponential). Gaussian: they are the v of h(p) = Σ_k v_k k(p, t_k).
  virtual void evaluate(const loops::SegmentFinder& knots, const double* coefficients, Index n,
                        const double* p, double* out) const = 0;
};

std::unique_ptr<Kernel> make_kernel(const std::string& name);
const std::vector<std::string>& kernel_names();

}  // namespace bkernn
