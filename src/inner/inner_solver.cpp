#include "inner/inner_solver.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr int kMaxNewtonSteps = 100;
constexpr int kMaxInterceptSteps = 60;
constexpr int kMaxHalvings = 40;
constexpr int kMaxScaleSteps = 12;
constexpr double kScaleGain = 1e-3;      // share of the objective that is worth another of them
constexpr double kGradientShare = 0.1;   // that a residual may be of the present gradient: classes
constexpr double kForcing = 0.1;         // residual of a Newton step, relative to where it begins
constexpr double kInterceptGain = 1e-6;  // share of the loss that an intercept may leave to gain

// Σ_i H_i of a coupled loss, q×q. The same constant added to all outputs changes nothing, and no
// slope points there: a term for it makes the matrix invertible.
Matrix total_curvature(const Matrix& D) {
  const Vector sums = D.rowwise().sum();
  Matrix total = -(D.transpose() * sums.cwiseInverse().asDiagonal() * D);
  total.diagonal() += D.colwise().sum().transpose();
  total.array() += total.trace() / static_cast<double>(total.size());
  return total;
}

// H_i v_i for each row i of V.
Matrix curvature_times(const Matrix& V, const Matrix& D, bool coupled) {
  Matrix out = D.cwiseProduct(V);
  if (coupled) out -= out.rowwise().sum().cwiseQuotient(D.rowwise().sum()).eval().asDiagonal() * D;
  return out;
}

Matrix pseudo_inverse(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  const double cut = 1e-12 * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  const Vector inverse =
      eigen.eigenvalues().unaryExpr([&](double e) { return e > cut ? 1 / e : 0.0; });
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

InnerSolver::InnerSolver(const Loss& loss, const Matrix& Y, const Vector& s, double lambda,
                         InnerMethod method, Preconditioning preconditioning)
    : loss_(loss),
      Y_(Y),
      s_(s),
      lambda_(lambda),
      n_(static_cast<double>(Y.rows())),
      automatic_(method == InnerMethod::automatic),
      preconditioning_(loss.coupled() ? Preconditioning::never : preconditioning),
      method_(automatic_ ? InnerMethod::conjugate_gradients : method) {
  noise_ = 1e-13 * (Y.norm() + s.norm());
  const RowVector start = loss.start(Y, s);
  Matrix F = start.replicate(Y.rows(), 1);
  best_constant_ = start + optimize_intercept(F);
  loss.derivatives(Y, F, s, gradient_, D_);
  gradient_norm_ = size(gradient_);
  gradient_scale_ = std::sqrt(gradient_.cwiseAbs2().rowwise().sum().cwiseQuotient(s).sum() / n_);
}

RowVector InnerSolver::intercept_move(const RowVector& slope) const {
  return loss_.coupled() ? RowVector(-intercept_gram_.solve(slope.transpose()).transpose())
                         : RowVector(-slope.cwiseQuotient(D_.colwise().sum()));
}

RowVector InnerSolver::optimize_intercept(Matrix& F) {
  RowVector shift = RowVector::Zero(F.cols());
  double value = loss_.value(Y_, F, s_);
  for (int step = 0; step < kMaxInterceptSteps; ++step) {
    loss_.derivatives(Y_, F, s_, gradient_, D_);
    const RowVector sum = gradient_.colwise().sum();
    if (sum.norm() <= 1e-14 * (gradient_.cwiseAbs().sum() + n_ * 1e-4)) break;
    if (loss_.coupled()) intercept_gram_.compute(total_curvature(D_));
    RowVector move = intercept_move(sum);
    bool better = false;
    for (int halving = 0; halving < kMaxHalvings && !better; ++halving) {
      const double trial = loss_.value(Y_, F.rowwise() + move, s_);
      better = trial < value;
      if (better || loss_.quadratic()) {
        value = trial;
        better = true;
      } else {
        move *= 0.5;
      }
    }
    if (!better) break;
    F.rowwise() += move;
    shift += move;
    if (loss_.quadratic()) break;
  }
  return shift;
}

void InnerSolver::optimize_scale(InnerSolution& solution, Matrix& K_alpha) {
  const Index q = Y_.cols();
  const Matrix V = K_alpha.rowwise() - K_alpha.colwise().mean();
  const double squares = n_ * lambda_ * solution.alpha.cwiseProduct(K_alpha).sum();
  double scale = 1, value = loss_.value(Y_, solution.F, s_) + 0.5 * squares;
  for (int step = 0; step < kMaxScaleSteps; ++step) {
    loss_.derivatives(Y_, solution.F, s_, gradient_, D_);
    const Matrix HV = curvature_times(V, D_, loss_.coupled());
    RowVector slope(1 + q);
    slope << gradient_.cwiseProduct(V).sum() + scale * squares, gradient_.colwise().sum();
    Matrix curvature(1 + q, 1 + q);
    curvature(0, 0) = V.cwiseProduct(HV).sum() + squares;
    curvature.row(0).tail(q) = HV.colwise().sum();
    curvature.col(0).tail(q) = curvature.row(0).tail(q).transpose();
    curvature.bottomRightCorner(q, q) =
        loss_.coupled() ? total_curvature(D_) : Matrix(D_.colwise().sum().asDiagonal());
    const RowVector move = -curvature.ldlt().solve(slope.transpose()).transpose();
    const double gain = -slope.dot(move);
    if (!(gain > kScaleGain * value)) break;
    double length = 1, trial = 0, t = 0;
    Matrix F;
    for (int halving = 0; halving < kMaxHalvings; ++halving, length *= 0.5) {
      t = scale + length * move(0);
      F = (solution.F + length * move(0) * V).rowwise() + length * move.tail(q);
      trial = loss_.value(Y_, F, s_) + 0.5 * t * t * squares;
      if (trial <= value - 1e-4 * length * gain) break;
    }
    if (!(trial < value)) break;
    scale = t;
    value = trial;
    solution.F.swap(F);
  }
  solution.alpha *= scale;
  K_alpha *= scale;
}

double InnerSolver::goal_now(double goal) const {
  return loss_.classifies() ? std::min(goal, kGradientShare * size(gradient_) + noise_) : goal;
}

bool InnerSolver::intercept_is_best(const Matrix& F) const {
  const RowVector slope = gradient_.colwise().sum();
  const double gain = -0.5 * slope.dot(intercept_move(slope));
  const double least = loss_.scale_equivariant() ? 0 : 0.01 * n_;  // likelihoods have units
  return gain <=
         kInterceptGain * (loss_.value(Y_, F, s_) + gradient_norm_ * gradient_norm_ + least);
}

double InnerSolver::objective(const Matrix& F, const Matrix& alpha, const Matrix& K_alpha) const {
  return loss_.value(Y_, F, s_) / n_ + 0.5 * lambda_ * alpha.cwiseProduct(K_alpha).sum();
}

bool InnerSolver::may_factorize() const {
  return automatic_ && Y_.rows() * (loss_.coupled() ? Y_.cols() : 1) <= kCholeskyRows;
}

int InnerSolver::iteration_limit() const {
  return may_factorize() ? 200 + static_cast<int>(n_ / 2) : 5000;
}

void InnerSolver::factorized_solve(KernelOperator& K) {
  const Index n = Y_.rows(), q = Y_.cols();
  if (gram_.size() == 0) gram_ = K.centered_gram();
  const Matrix& gram = gram_;
  cg_.r = residual_.cwiseQuotient(root_);
  project(cg_.r);
  cg_.x.resize(n, q);
  if (loss_.coupled()) {  // one system of n·q unknowns
    Matrix M(n * q, n * q);
    const Vector row_norm = root_.rowwise().norm();
    for (Index k = 0; k < q; ++k) {
      for (Index i = 0; i < n; ++i) {
        Matrix column = Matrix::Zero(n, q);
        column(i, k) = root_(i, k);
        column.row(i) -=
            root_.row(i).cwiseProduct(root_.row(i)) * (root_(i, k) / (row_norm(i) * row_norm(i)));
        Matrix image = root_.cwiseProduct(gram.col(i) * column.row(i));
        const Vector along =
            root_.cwiseProduct(image).rowwise().sum().cwiseQuotient(row_norm.cwiseAbs2());
        image -= along.asDiagonal() * root_;
        M.col(k * n + i) = image.reshaped();
      }
    }
    M.diagonal().array() += n_ * lambda_;
    // What the intercepts add to u, without its row parts: u stays orthogonal to it.
    Matrix C(n * q, q);
    for (Index k = 0; k < q; ++k) {
      const Vector along = root_.col(k).cwiseAbs2().cwiseQuotient(row_norm.cwiseAbs2());
      Matrix constant = -(along.asDiagonal() * root_);
      constant.col(k) += root_.col(k);
      C.col(k) = constant.reshaped();
    }
    const Eigen::LLT<Matrix> factor(M);
    const Matrix Z = factor.solve(C);
    const Vector u = factor.solve(Vector(cg_.r.reshaped()));
    cg_.x.reshaped() = u - Z * (pseudo_inverse(C.transpose() * Z) * (C.transpose() * u));
    project(cg_.x);
    return;
  }
  Eigen::LLT<Matrix> factor;
  for (Index k = 0; k < q; ++k) {
    const auto root = root_.col(k);
    if (k == 0 || root != root_.col(k - 1)) {
      Matrix M = root.asDiagonal() * gram * root.asDiagonal();
      M.diagonal().array() += n_ * lambda_;
      factor.compute(M);
    }
    cg_.x.col(k) = factor.solve(cg_.r.col(k));
    const Vector z = factor.solve(root);
    cg_.x.col(k) -= z * (root.dot(cg_.x.col(k)) / root.dot(z));
  }
}

bool InnerSolver::newton_step(KernelOperator& K, double tolerance, InnerSolution& solution,
                              Matrix& K_alpha) {
  root_ = D_.cwiseSqrt();
  curvature_ = s_.cwiseInverse().asDiagonal() * D_;
  root_squares_ = D_.colwise().sum();
  row_squares_ = D_.rowwise().sum();
  if (loss_.coupled()) intercept_gram_.compute(total_curvature(D_));
  const double norm = size(residual_);
  const double goal = goal_now(tolerance * gradient_norm_);
  const double relative = norm / gradient_norm_;
  const double target = loss_.quadratic() ? goal
                        : loss_.classifies()
                            ? std::max(0.3 * goal, norm * std::min(kForcing, std::sqrt(relative)))
                            : std::max(0.3 * goal, 0.05 * norm * std::min(1.0, relative));

  if (method_ == InnerMethod::conjugate_gradients) {
    const bool met = conjugate_gradients(K, target + noise_, solution.iterations);
    if (!met && may_factorize()) method_ = InnerMethod::cholesky;
  }
  if (method_ == InnerMethod::cholesky) {
    factorized_solve(K);
    ++solution.iterations;
  }
  const Matrix delta = root_.cwiseProduct(cg_.x);

  if (loss_.quadratic() && method_ == InnerMethod::conjugate_gradients) {
    // Kδ without another product: (D^½KD^½ + nλ)u = D^{−½}R − r gives it up to a constant, and its
    // mean is known.
    solution.alpha += delta;
    Matrix K_delta =
        (residual_.cwiseQuotient(root_) - cg_.r - n_ * lambda_ * cg_.x).cwiseQuotient(root_);
    K_delta.rowwise() += K_delta_mean_ - K_delta.colwise().mean();
    K_alpha += K_delta;
    solution.F = K_alpha;
    optimize_intercept(solution.F);
    return true;
  }
  Matrix K_delta;
  K.apply(delta, K_delta);
  const double value = objective(solution.F, solution.alpha, K_alpha);
  // Without the mean of Kδ, which rounding can make large, the intercept changes little.
  Matrix change = K_delta.rowwise() - K_delta.colwise().mean();
  // Losses of classes are smooth, and each of their values takes n·q exponentials. Their intercept
  // moves with α, by e: (Σ_i H_i) e = Σ_i (R_i − H_i (Kδ)_i). That of other losses, which are cheap
  // and may have kinks, is optimized at each trial, so that the columns of R sum to 0.
  const bool joint = loss_.classifies();
  if (joint) {
    const Matrix left = residual_ - curvature_times(change, D_, loss_.coupled());
    change.rowwise() -= intercept_move(left.colwise().sum());
  }
  const double slope = -residual_.cwiseProduct(joint ? change : K_delta).sum() / n_;
  double step = 1;
  for (int halving = 0; halving < kMaxHalvings; ++halving, step *= 0.5) {
    Matrix F = solution.F + step * change;
    if (!joint) optimize_intercept(F);
    const Matrix alpha = solution.alpha + step * delta;
    const Matrix K_alpha_new = K_alpha + step * K_delta;
    const double trial = objective(F, alpha, K_alpha_new);
    const bool rounding_only = std::abs(slope) <= 1e-13 * std::abs(value);
    if (trial <= value + 1e-4 * step * slope || (rounding_only && step == 1) || loss_.quadratic()) {
      solution.F = F;
      solution.alpha = alpha;
      K_alpha = K_alpha_new;
      return true;
    }
  }
  return false;
}

void InnerSolver::solve(KernelOperator& K, double tolerance, InnerSolution& solution, bool verify) {
  const Index n = Y_.rows(), q = Y_.cols();
  const double goal = tolerance * gradient_norm_ + noise_;
  solution.iterations = 0;
  solution.converged = false;
  gram_.resize(0, 0);
  Matrix K_alpha, before;

  const auto begin_at = [&](bool warm) {
    if (warm) {
      K.apply(solution.alpha, K_alpha);
    } else {
      solution.alpha.setZero(n, q);
      K_alpha.setZero(n, q);
    }
    solution.F = K_alpha;
    if (!loss_.quadratic()) solution.F.rowwise() += solution.intercept;
    if (warm && loss_.classifies()) {
      optimize_scale(solution, K_alpha);
    } else {
      optimize_intercept(solution.F);
    }
  };
  const auto measure = [&] {
    loss_.derivatives(Y_, solution.F, s_, gradient_, D_);
    residual_ = -gradient_ - n_ * lambda_ * solution.alpha;
    // The intercept is optimal, so the columns of R sum to zero. Rounding must not build up in 1ᵀα.
    // (Of classes they need not: the slope of the intercept is part of R.)
    if (!loss_.classifies()) residual_.rowwise() -= residual_.colwise().mean().eval();
    return size(residual_);
  };

  const bool warm = solution.alpha.rows() == n && solution.alpha.cols() == q;
  if (solution.intercept.size() != q) solution.intercept = best_constant_;
  begin_at(warm);
  double norm = measure();
  if (warm && !(norm <= gradient_norm_)) {
    solution.intercept = best_constant_;
    begin_at(false);
    norm = measure();
  }
  for (int step = 0; step < kMaxNewtonSteps && norm > goal_now(goal); ++step) {
    if (verify && loss_.quadratic()) before = solution.alpha;
    const bool moved = newton_step(K, tolerance, solution, K_alpha);
    const double previous = norm;
    norm = measure();
    if (!moved) break;
    if (loss_.quadratic()) {
      if (!verify) break;
      ++solution.iterations;
      begin_at(true);
      norm = measure();
      if (!(norm <= previous)) {  // only rounding errors are left
        solution.alpha = before;
        begin_at(true);
        norm = measure();
        break;
      }
      if (norm > 0.5 * previous) break;
    }
  }
  gram_.resize(0, 0);
  solution.intercept = (solution.F - K_alpha).colwise().mean();
  solution.residual = gradient_norm_ > 0 ? norm / gradient_norm_ : 0.0;
  solution.value = objective(solution.F, solution.alpha, K_alpha);
  const bool counted = loss_.quadratic() || loss_.classifies();  // the intercept, in `norm`
  solution.converged = norm <= 1.5 * goal && (counted || intercept_is_best(solution.F));
}

}  // namespace bkernn
