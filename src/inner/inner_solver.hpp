// The inner problem, W fixed:  minimize over α (n×q, column sums 0) and c (q)
//
//   (1/n) Σ_i s_i ℓ(y_i, f_i) + (λ/2) tr(αᵀKα),      f = Kα + c.
//
// At the optimum the residual R = −(g + nλα), g_i = s_i ∂ℓ/∂f_i, is zero. A Newton step δ with row
// curvature matrices H_i solves (nλ + HK)δ + H·(constant) = nλ·(R/nλ) = R. With H_i = diag(D_i) and
// δ = D^½ u this is the symmetric system
//
//   (D^½ K D^½ + nλ) u = D^{−½} R      on the u with D^½ᵀ u = 0 for each output,
//
// and for the multinomial loss, H_i = diag(D_i) − D_i D_iᵀ/ΣD_i, the same one on the u with also
// √D_iᵀ u_i = 0 in each row. The square loss has D = s and is solved by one such step (lemma
// fixed_K).
//
// Two ways to solve it: conjugate gradients, which need only products with K, and Cholesky of the
// n×n matrix. Conjugate gradients take about √n products, because nλ stays the same while the
// eigenvalues of K grow with n. So once a solve has taken more products than it costs to factorize
// the system on a few knots (coarse_preconditioner.hpp), it is preconditioned with that; and so are
// the solves after it, as long as the particles stay near enough for it to be of use. (Not for few
// rows, where Cholesky is the answer, nor for the multinomial loss: outputs that are coupled row by
// row have no such coarse system.) For the square loss the value at an inexact solution exceeds
// G(W) by at most ‖D^{−½}R‖²/(2n): second order in the residual, which is what makes a loose
// tolerance sound inside a line search.
#pragma once

#include "bkernn/loss.hpp"
#include "bkernn/types.hpp"
#include "inner/conjugate_gradients.hpp"
#include "operators/coarse_preconditioner.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

struct InnerSolution {
  Matrix alpha;            // n×q; on input the start (empty: zero)
  RowVector intercept;     // c, with K as KernelOperator::apply gives it
  Matrix F;                // Kα + c
  double value = 0;        // of the objective above, at α and c
  double residual = 0;     // ‖R‖ relative to its value for the best constant
  int iterations = 0;      // products of conjugate gradients, or factorizations
  bool converged = false;  // ‖R‖ is as asked for, and an intercept has nothing to gain
};

enum class Preconditioning { automatic, never, always };

enum class InnerMethod {
  automatic,  // conjugate gradients; Cholesky where they take too long and n is small enough
  conjugate_gradients,
  cholesky,
};

class InnerSolver {
 public:
  // Y n×q, s > 0 with Σs = n. Both must outlive the solver.
  InnerSolver(const Loss& loss, const Matrix& Y, const Vector& s, double lambda, InnerMethod method,
              Preconditioning preconditioning = Preconditioning::automatic);

  // Solves for the particles that K holds, from solution.alpha, to ‖R‖ ≤ tolerance·‖R of the best
  // constant‖. `verify` measures the final residual with a fresh product and goes on until it is
  // met.
  void solve(KernelOperator& K, double tolerance, InnerSolution& solution, bool verify = false);

  // What `automatic` has come to. It only ever changes from conjugate gradients to Cholesky.
  InnerMethod method_in_use() const { return method_; }
  void use(InnerMethod method) { method_ = method; }

  // Where the preconditioner in use was made, if there is one; and making it again there, so that a
  // resumed fit goes on with the same one. `weights` is empty for losses whose curvature does not
  // change.
  struct PreconditionerOrigin {
    Matrix W;
    RowVector weights;
  };
  const PreconditionerOrigin& coarse() const { return coarse_; }
  Index coarse_unknowns() const { return preconditioner_ ? preconditioner_->unknowns() : 0; }
  void restore(KernelOperator& K, const PreconditionerOrigin& coarse);

  // The best constant prediction and the root mean square of its gradient over rows, a row counting
  // s_i times.
  const RowVector& best_constant() const { return best_constant_; }
  double gradient_scale() const { return gradient_scale_; }

 private:
  // The step of Newton's method to constants whose loss has this slope at F, of which D_ holds the
  // curvature.
  RowVector intercept_move(const RowVector& slope) const;

  // Shifts F by the constants that minimize the loss; returns them.
  RowVector optimize_intercept(Matrix& F);

  // By Newton's estimate, constants would lower the loss by a negligible part of it at most.
  // gradient_ and D_ are those at F.
  bool intercept_is_best(const Matrix& F) const;
  double objective(const Matrix& F, const Matrix& alpha, const Matrix& K_alpha) const;

  // √Σ r_i²/s_i: the norm of a residual or gradient (proportional to the weights s_i) that is the
  // same whether a row is repeated or weighted.
  double size(const Matrix& residual) const;
  double scaled_size() const;  // of D^½ r, the residual of conjugate gradients

  template <class Body>
  void for_rows(const Body& body) const;
  template <class Body>
  RowVector column_sums(const Body& body) const;

  bool newton_step(KernelOperator& K, double tolerance, InnerSolution& solution, Matrix& K_alpha);

  // u ← P u: onto the subspace of the linear system; D^½ is root_.
  void project(Matrix& u) const;
  void multiply(KernelOperator& K, const Matrix& u, Matrix& out);
  struct NewtonSystem;
  bool conjugate_gradients(KernelOperator& K, double target, int& iterations);
  // With the curvature of now, or with weights of the rows (empty: s).
  void precondition(const KernelOperator& K);
  void precondition(const KernelOperator& K, const RowVector& weights);
  bool outdated(const KernelOperator& K) const;
  // M⁻¹ r, or r itself.
  const Matrix& preconditioned_residual();
  void factorized_solve(KernelOperator& K);
  bool may_factorize() const;
  int iteration_limit() const;

  // The largest matrix that `automatic` may factorize. Systems of more rows are preconditioned
  // instead.
  static constexpr Index kCholeskyRows = 3000;

  const Loss& loss_;
  const Matrix& Y_;
  const Vector& s_;
  const double lambda_;
  const double n_;
  const bool automatic_;
  Preconditioning preconditioning_;
  InnerMethod method_;
  RowVector best_constant_;
  double gradient_norm_ = 0;
  double gradient_scale_ = 0;
  double noise_ = 0;  // residuals below it are rounding errors

  Matrix gradient_, D_, root_, residual_;  // n×q
  RowVector root_squares_;                 // q, Σ_i D_i
  Matrix intercept_gram_;                  // q×q pseudo-inverse of Σ H_i, coupled losses
  CgVectors cg_;                           // n×q: u and r
  Matrix z_, v_;                           // n×q, work space
  RowVector product_mean_, K_delta_mean_;  // q, column means of the last product and of Kδ
  std::unique_ptr<CoarsePreconditioner> preconditioner_;
  PreconditionerOrigin coarse_;
};

}  // namespace bkernn
