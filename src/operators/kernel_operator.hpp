// The kernel matrix of all particles, as an operator:
//
//   K = (1/m) Σ_j K^(w_j),   K^(w)_{ii'} = k(wᵀx_i, wᵀx_i').
//
// This is the only part that knows both particles and kernel. Products are for dual variables with
// column sums 0, and are right up to one constant per column, which the free intercept absorbs.
// Particles that are exactly zero add only such a constant and are skipped.
//
// There are three implementations:
//
//   sorted  exact; O(n) per product and particle after one sort per W; brownian and exponential
//   knots   the kernel of the piecewise-linear functions on Q knots per particle; brownian; no
//           sort, and tables that stay in cache. With all distinct projections as knots it is the
//           exact operator
//   dense   the n×n matrix; any kernel; the reference of the tests
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/kernel.hpp"
#include "bkernn/model.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

class KernelOperator {
 public:
  KernelOperator(const Matrix& X, const Kernel& kernel) : X_(X), kernel_(kernel) {}
  virtual ~KernelOperator() = default;

  virtual std::string name() const = 0;

  // Takes new particles W (d×m). Everything below refers to the last W.
  void set_particles(const Matrix& W);

  // out = K V, both n×q; the columns of V sum to 0.
  virtual void apply(const Matrix& V, Matrix& out) = 0;

  // ∂/∂W of ½ tr(αᵀKα) with α fixed, d×m. Column j is
  //
  //   (1/m) Σ_i (Σ_q α_iq h'_jq(p_ij)) x_i    with    h_jq(p) = Σ_i α_iq k(p, p_ij).
  Matrix particle_gradient(const Matrix& alpha) const;

  // The functions h_j of the active particles, with the constants that apply() gives them.
  std::vector<RidgeFunction> functions(const Matrix& alpha) const;

  // (1/m) Σ_j h_j(w_jᵀz) for each row z of Z, n×q: the functions above at other rows. A few of them
  // are in memory at a time.
  Matrix predict(const Matrix& alpha, const Matrix& Z) const;

  // ΠKΠ as an n×n matrix, Π = I − 11ᵀ/n, for the Cholesky solver.
  Matrix centered_gram() const;

  // Projections of active particles [begin, end): n × (end − begin).
  Matrix project(Index begin, Index end) const;

  // The range of the projections, averaged over active particles.
  double mean_range() const;

  Index rows() const { return X_.rows(); }
  Index particles() const { return W_.cols(); }  // m
  const Matrix& W() const { return W_; }
  const std::vector<Index>& active() const { return active_; }
  const Kernel& kernel() const { return kernel_; }

 protected:
  // Called when W_ and active_ are new.
  virtual void prepare() = 0;

  // An operator may keep rows in an order of its own: V in that order, and back.
  virtual Matrix arranged(const Matrix& V) const { return V; }
  virtual Matrix restored(const Matrix& V) const { return V; }

  // h of active particle a, of arranged α.
  virtual RidgeFunction function(Index a, const Matrix& alpha) const = 0;

  // out[i] += α_i h'(p_i) for active particle a, with h of this α (one output), both arranged.
  virtual void add_slopes(Index a, const double* alpha, double* out) const = 0;

  // The same for active particles [begin, end) and all outputs, n × (end − begin), of arranged α;
  // the rows are in their own order again.
  Matrix slopes(const Matrix& alpha, Index begin, Index end) const;

  // K as a matrix, up to terms that Π removes.
  virtual Matrix gram() const;

  Index active_count() const { return static_cast<Index>(active_.size()); }

  const Matrix& X_;
  const Kernel& kernel_;
  Matrix W_;                   // d×m
  std::vector<Index> active_;  // columns of W that are not zero
};

// `name` is sorted, knots or dense. X and kernel must outlive the operator. For knots, Q = `knots`
// is at least 2, and `seed` picks the rows whose projections decide where the knots are.
std::unique_ptr<KernelOperator> make_operator(const std::string& name, const Matrix& X,
                                              const Kernel& kernel, Index knots = 0,
                                              std::uint64_t seed = 0);

}  // namespace bkernn
