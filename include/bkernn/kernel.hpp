// One-dimensional kernels k(a, b), those of Experiment 1 of the paper.
//
//   brownian     k(a, b) = (|a| + |b| − |a − b|) / 2     RKHS norm² ∫ h'², h(0) = 0;  1-homogeneous
//   exponential  k(a, b) = exp(−|a − b| / 2)
//   gaussian     k(a, b) = exp(−(a − b)² / 2)
//
// A particle w turns a row x into the projection p = wᵀx, and the kernel sees only such numbers.
// With dual variables v (v_i belongs to row i, and Σ v_i = 0 because the intercept is free) the
// particle's function is
//
//   h(p) = Σ_i v_i k(p, p_i).
//
// Since Σ v_i = 0, adding a(p) + b(p') to k(p, p') changes h only by a constant. So the Brownian
// kernel may be replaced by −|a − b|/2, and only the *gaps between sorted projections* matter.
//
// A kernel needs name(), values(), derivatives() and brownian_bound(). A Markov kernel (see
// MarkovKernel) adds what makes it fast, and function_form() what lets it be exported.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/segment_finder.hpp"
#include "bkernn/sorted_particle.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

class MarkovKernel;

// How h follows from what a model stores of it, knots t_k and a coefficient h_k for each. Where
// there is no kernel (C, ONNX, a report) there is a formula for each of these, except `other`.
enum class FunctionForm {
  other,
  lines,   // straight through (t_k, h_k), constant beyond the last knots
  decays,  // a e^{p/2} + b e^{−p/2} through (t_k, h_k), decaying beyond the last knots
  bumps,   // Σ_k h_k e^{−(p − t_k)²/2}
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual std::string name() const = 0;

  // k(p_i, b) and ∂k/∂a(p_i, b) for i < n, to out. At a kink the derivative is the mean of both
  // sides.
  virtual void values(Index n, const double* p, double b, double* out) const = 0;
  virtual void derivatives(Index n, const double* p, double b, double* out) const = 0;

  // h(p_i), i < n, of a function stored as one coefficient per knot t_k. Here the coefficients are
  // v and h(p) = Σ_k v_k k(p, t_k); Markov kernels store something better.
  virtual void evaluate(const SegmentFinder& knots, const double* coefficients, Index n,
                        const double* p, double* out) const;

  // The kernel as a Markov kernel, or null if it is none.
  virtual const MarkovKernel* markov() const { return nullptr; }

  virtual FunctionForm function_form() const { return FunctionForm::other; }

  // h is a straight line between neighboring projections. Knots, compression and the preconditioner
  // need this.
  virtual bool piecewise_linear() const { return false; }

  // k(ta, tb) = t k(a, b) for t ≥ 0. Then k(0, ·) = 0, so h(0) = 0 and the intercept is f at
  // projections 0. The theory is about these kernels.
  virtual bool homogeneous() const { return false; }

  // A number c with Σ v_i v_j k(p_i, p_j) ≤ c Σ v_i v_j k_brownian(p_i, p_j) whenever Σ v_i = 0;
  // the largest λ of a path is derived from it. For k(a, b) = κ(a − b) the smallest c is the
  // maximum over ω of ω² κ̂(ω), where κ̂(ω) = ∫ κ(r) e^{−iωr} dr. (The Brownian kernel has κ̂ =
  // 1/ω².)
  virtual double brownian_bound() const = 0;
};

// Brownian and exponential kernels are Markov: between two neighboring knots h is fixed by its
// values at the two (a straight line, or a combination of e^{p/2} and e^{−p/2}). That gives three
// things at once:
//   - all n values h(p_i) in O(n) once the projections are sorted (add_product),
//   - all n slopes h'(p_i) in O(n), which the gradient in w needs (add_slopes),
//   - a fitted h that is stored as its values at the knots and evaluated without the training data:
//     the coefficients of evaluate() are these values. Outside the knots h is constant (Brownian)
//     or decays (exponential).
class MarkovKernel : public Kernel {
 public:
  const MarkovKernel* markov() const final { return this; }

  void evaluate(const SegmentFinder& knots, const double* coefficients, Index n, const double* p,
                double* out) const override = 0;

  // step[k], k < n − 1, from sorted projections: the gap p_(k+2) − p_(k+1), or the decay
  // e^{−gap/2}. step[n − 1] = 0.
  virtual void steps(Index n, const double* sorted, double* step) const = 0;

  // For each of `count` ≤ 4 particles and `outputs` = 1, 2 or 4 columns of v: adds h(p_i) to the
  // sums of row i. Row i of v_out is (v_i of each output, sum of each output), 2·outputs numbers.
  // Values and sums stand side by side because both are visited in the same random order, so a row
  // costs one cache miss instead of two. The Brownian h is the one that is 0 at the leftmost
  // projection:
  //   C_k = v_(1) + … + v_(k),   h_(k+1) = h_(k) − C_k (p_(k+1) − p_(k)).
  // Four particles advance together, so that their chains of dependent additions overlap.
  virtual void add_product(Index n, int count, const SortedParticle* particles, int outputs,
                           double* v_out) const = 0;

  // out[i] += v_i h'(p_i). At a kink h' is the mean of the slopes on both sides, so rows that share
  // a projection add no slope to each other. Brownian: h' = −(C before the tied rows + C after)/2.
  virtual void add_slopes(Index n, const SortedParticle& particle, const double* v,
                          double* out) const = 0;

  // h at the sorted projections, out[k] = h(p_(k+1)), for the h of add_product.
  virtual void knot_values(Index n, const SortedParticle& particle, const double* v,
                           double* out) const = 0;
};

std::unique_ptr<Kernel> make_kernel(const std::string& name);
const std::vector<std::string>& kernel_names();

}  // namespace bkernn
