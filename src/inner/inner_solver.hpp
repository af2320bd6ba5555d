// The inner problem, with W fixed: minimize over α (n×q, column sums 0) and c (q)
//
//   (1/n) Σ_i s_i ℓ(y_i, f_i) + (λ/2) tr(αᵀKα),      f = Kα + c.
//
// At the optimum the residual
//
//   R = −(g + nλα),      g_i = s_i ∂ℓ/∂f_i,
//
// is zero. A Newton step changes α by δ and c by e. With row curvature matrices H_i, g changes by
// H(Kδ + 1e) to first order, so the residual vanishes if
//
//   (HK + nλ)δ + H1e = R,      1ᵀδ = 0.
//
// With H_i = diag(D_i) and δ = D^½ u this becomes, after multiplication by D^{−½}, the symmetric
// system
//
//   (D^½ K D^½ + nλ) u = D^{−½} R      on the u with D^½ᵀ u = 0 for each output:
//
// the term of the intercept, D^½ 1e, is orthogonal to these u. For the multinomial loss, with
// H_i = diag(D_i) − D_i D_iᵀ/ΣD_i, it is the same system on the u that also have √D_iᵀ u_i = 0 in
// each row. The square loss has D = s and is solved by a single step (lemma fixed_K).
//
// There are two ways to solve the system: conjugate gradients, which need only products with K, and
// Cholesky of the n×n matrix. Conjugate gradients take about √n products, because nλ stays the same
// while the eigenvalues of K grow with n. So once a solve has taken more products than it costs to
// factorize the system on a few knots (coarse_preconditioner.hpp), that system becomes its
// preconditioner. The solves after it use it too, as long as the particles stay close enough for it
// to help. There is no preconditioner for few rows, where Cholesky is used instead, nor for the
// multinomial loss, because outputs that are coupled row by row have no such coarse system.
//
// For the square loss the value at an inexact solution exceeds G(W) by at most ‖D^{−½}R‖²/(2n).
// This is of second order in the residual, which is why a line search can use a loose tolerance.
#pragma once

#include <Eigen/Cholesky>

#include "bkernn/loss.hpp"
#include "bkernn/types.hpp"
#include "inner/conjugate_gradients.hpp"
#include "operators/coarse_preconditioner.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {

struct InnerSolution {
  Matrix alpha;            // n×q; on input where to start (empty: at zero)
  RowVector intercept;     // c, for K as KernelOperator::apply gives it
  Matrix F;                // Kα + c
  double value = 0;        // of the objective above, at α and c
  double residual = 0;     // ‖R‖ relative to its value for the best constant
  int iterations = 0;      // products of conjugate gradients, or factorizations
  bool converged = false;  // ‖R‖ is within the tolerance, and c is the best intercept
};

enum class Preconditioning { automatic, never, always };

enum class InnerMethod {
  automatic,  // conjugate gradients; Cholesky if they take too long and n is small enough
  conjugate_gradients,
  cholesky,
};

class InnerSolver {
 public:
  // Y n×q, s > 0 with Σs = n. Both must outlive the solver.
  InnerSolver(const Loss& loss, const Matrix& Y, const Vector& s, double lambda, InnerMethod method,
              Preconditioning preconditioning = Preconditioning::automatic);

  // Solves for the particles that K holds, starting from solution.alpha, until ‖R‖ is at most
  // `tolerance` times its value for the best constant. With `verify` the final residual is measured
  // with a fresh product, and the solver continues until it is small enough.
  void solve(KernelOperator& K, double tolerance, InnerSolution& solution, bool verify = false);

  const Loss& loss() const { return loss_; }

  // The method that `automatic` stands for now. It only ever changes from conjugate gradients to
  // Cholesky.
  InnerMethod method_in_use() const { return method_; }
  void use(InnerMethod method) { method_ = method; }

  // The particles and weights for which the present preconditioner was made, if there is one.
  // restore() makes it again, so that a resumed fit continues with the same one. `weights` is empty
  // for losses whose curvature does not change.
  struct PreconditionerOrigin {
    Matrix W;
    RowVector weights;
  };
  const PreconditionerOrigin& coarse() const { return coarse_; }
  Index coarse_unknowns() const { return preconditioner_ ? preconditioner_->unknowns() : 0; }
  void restore(KernelOperator& K, const PreconditionerOrigin& coarse);

  // The best constant prediction, and the root mean square over rows of the loss gradient there;
  // row i counts s_i times.
  const RowVector& best_constant() const { return best_constant_; }
  double gradient_scale() const { return gradient_scale_; }

 private:
  // Newton's step for the intercept at F: `slope` is the slope of the loss there, and D_ holds its
  // curvature, as intercept_gram_ does of coupled losses.
  RowVector intercept_move(const RowVector& slope) const;

  // Shifts F by the constants that minimize the loss, and returns them.
  RowVector optimize_intercept(Matrix& F);

  // What the residual is to fall to. Of classes that are told apart almost all of the gradient is
  // gone, and a residual of a hundredth of what it was may be larger than what is left.
  double goal_now(double goal) const;

  // Multiplies α by the number that, with the intercept, minimizes the objective: particles that
  // grow want a smaller α.
  void optimize_scale(InnerSolution& solution, Matrix& K_alpha);

  // Whether another intercept would lower the loss only by a negligible part, by Newton's estimate.
  // gradient_ and D_ must be those at F.
  bool intercept_is_best(const Matrix& F) const;
  double objective(const Matrix& F, const Matrix& alpha, const Matrix& K_alpha) const;

  // √Σ r_i²/s_i, the norm of a residual or gradient. These are proportional to the weights s_i, so
  // this norm is the same whether a row is repeated or weighted.
  double size(const Matrix& residual) const;
  double scaled_size() const;  // of D^½ r, the residual of conjugate gradients

  template <class Body>
  void for_rows(const Body& body) const;
  template <class Body>
  RowVector column_sums(const Body& body) const;

  bool newton_step(KernelOperator& K, double tolerance, InnerSolution& solution, Matrix& K_alpha);

  // Projects u onto the subspace of the linear system; root_ is D^½.
  void project(Matrix& u) const;
  void multiply(KernelOperator& K, const Matrix& u, Matrix& out);
  struct NewtonSystem;
  bool conjugate_gradients(KernelOperator& K, double target, int& iterations);
  // Makes a preconditioner with the present curvature, or with weights of the rows (empty: s).
  void precondition(const KernelOperator& K);
  void precondition(const KernelOperator& K, const RowVector& weights);
  bool outdated(const KernelOperator& K) const;
  // M⁻¹ r, or r itself without a preconditioner.
  const Matrix& preconditioned_residual();
  void factorized_solve(KernelOperator& K);
  bool may_factorize() const;
  int iteration_limit() const;

  // The most rows for which `automatic` may factorize the matrix. Larger systems are preconditioned
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
  double noise_ = 0;  // smaller residuals are rounding errors

  Matrix gradient_, D_, root_, residual_;  // n×q
  Matrix curvature_;                       // n×q, D_ik/s_i
  RowVector root_squares_;                 // q, Σ_i D_i
  Vector row_squares_;                     // n, Σ_k D_ik
  Eigen::LLT<Matrix> intercept_gram_;      // q×q, Σ H_i, coupled losses
  Matrix gram_;                            // n×n, ΠKΠ, while solve() needs it
  CgVectors cg_;                           // n×q: u and r
  Matrix z_, v_;                           // n×q, work space
  RowVector product_mean_, K_delta_mean_;  // q, column means of the last product and of Kδ
  std::unique_ptr<CoarsePreconditioner> preconditioner_;
  PreconditionerOrigin coarse_;
};

}  // namespace bkernn
