// Conjugate gradients, their preconditioner, and the passes over rows that both consist of.
#include <cmath>

#include "base/many_rows.hpp"
#include "base/parallel.hpp"
#include "inner/conjugate_gradients.hpp"
#include "inner/inner_solver.hpp"

namespace bkernn {
namespace {

// A preconditioner is made after this many products in one solve. That is about what making it
// costs (its histograms take O(n m²)) plus what the solve takes afterwards. It is made earlier if
// an older one is in use and does not help enough.
constexpr int kPatience = 300;
constexpr int kPatienceWithOlder = 60;
// For many rows it is made at once, and again when W has changed by this much, relatively.
constexpr double kOutdated = 1e-3;
// So many unknowns cost next to nothing to be remembered.
constexpr Index kRememberedUnknowns = 1000;

using RowRange = Eigen::ArithmeticSequence<Index, Index>;

// r_i²/s_i, as an expression.
template <class Residual, class Weights>
auto weighted_squares(const Residual& r, const Weights& s) {
  return r.cwiseAbs2().cwiseProduct(s.cwiseInverse().replicate(1, r.cols()));
}

}  // namespace

// Passes over the rows in blocks: call body(rows), or sum the columns of what it returns.
template <class Body>
void InnerSolver::for_rows(const Body& body) const {
  parallel_rows(Y_.rows(), static_cast<double>(Y_.cols()),
                [&](Index begin, Index end) { body(Eigen::seq(begin, end - 1)); });
}

template <class Body>
RowVector InnerSolver::column_sums(const Body& body) const {
  return parallel_row_sums(
      Y_.rows(), Y_.cols(), static_cast<double>(Y_.cols()),
      [&](Index begin, Index end) { return body(Eigen::seq(begin, end - 1)).colwise().sum(); });
}

double InnerSolver::size(const Matrix& residual) const {
  return std::sqrt(column_sums([&](RowRange rows) {
                     return weighted_squares(residual(rows, Eigen::all), s_(rows));
                   }).sum());
}

void InnerSolver::project(Matrix& u) const {
  if (!loss_.coupled()) {
    const RowVector along = column_sums([&](RowRange rows) {
                              return root_(rows, Eigen::all).cwiseProduct(u(rows, Eigen::all));
                            }).cwiseQuotient(root_squares_);
    for_rows([&](RowRange rows) {
      u(rows, Eigen::all) -= root_(rows, Eigen::all) * along.asDiagonal();
    });
    return;
  }
  // What the intercepts add, without its row parts, has the entries root_ik (a_k − b_i), where b_i
  // is the mean of a with the weights root_ik².
  const RowVector sums = parallel_row_sums(
      Y_.rows(), Y_.cols(), 4 * static_cast<double>(Y_.cols()), [&](Index begin, Index end) {
        const Index rows = end - begin;
        Vector along = Vector::Zero(rows);
        for (Index k = 0; k < u.cols(); ++k)
          along += root_.col(k).segment(begin, rows).cwiseProduct(u.col(k).segment(begin, rows));
        along = along.cwiseQuotient(row_squares_.segment(begin, rows));
        RowVector sum(u.cols());
        for (Index k = 0; k < u.cols(); ++k) {
          const auto root = root_.col(k).segment(begin, rows);
          u.col(k).segment(begin, rows) -= along.cwiseProduct(root);
          sum(k) = root.dot(u.col(k).segment(begin, rows));
        }
        return sum;
      });
  const RowVector a = intercept_gram_.solve(sums.transpose()).transpose();
  parallel_rows(Y_.rows(), 4 * static_cast<double>(Y_.cols()), [&](Index begin, Index end) {
    const Index rows = end - begin;
    Vector mean = Vector::Zero(rows);
    for (Index k = 0; k < u.cols(); ++k)
      mean += a(k) * root_.col(k).segment(begin, rows).cwiseAbs2();
    mean = mean.cwiseQuotient(row_squares_.segment(begin, rows));
    for (Index k = 0; k < u.cols(); ++k) {
      u.col(k).segment(begin, rows).array() -=
          root_.col(k).segment(begin, rows).array() * (a(k) - mean.array());
    }
  });
}

void InnerSolver::multiply(KernelOperator& K, const Matrix& u, Matrix& out) {
  v_.resize(u.rows(), u.cols());
  for_rows([&](RowRange rows) {
    v_(rows, Eigen::all) = root_(rows, Eigen::all).cwiseProduct(u(rows, Eigen::all));
  });
  K.apply(v_, out);
  if (loss_.quadratic())
    product_mean_ = column_sums([&](RowRange rows) { return out(rows, Eigen::all); }) / n_;
  for_rows(
      [&](RowRange rows) { out(rows, Eigen::all).array() *= root_(rows, Eigen::all).array(); });
  project(out);
  for_rows([&](RowRange rows) { out(rows, Eigen::all) += n_ * lambda_ * u(rows, Eigen::all); });
}

void InnerSolver::precondition(const KernelOperator& K, const RowVector& weights) {
  preconditioner_.reset();
  coarse_ = {};
  if (!K.kernel().piecewise_linear() || K.active().empty()) return;
  preconditioner_ = std::make_unique<CoarsePreconditioner>(
      K, weights.size() > 0 ? Vector(weights) : s_, n_ * lambda_);
  coarse_ = {K.W(), weights};
}

void InnerSolver::precondition(const KernelOperator& K) {
  precondition(K, loss_.quadratic() ? RowVector() : RowVector(D_.rowwise().mean()));
}

void InnerSolver::restore(KernelOperator& K, const PreconditionerOrigin& coarse) {
  if (coarse.W.size() == 0) return;
  K.set_particles(coarse.W);
  precondition(K, coarse.weights);
}

bool InnerSolver::outdated(const KernelOperator& K) const {
  return preconditioner_ && many_rows(Y_.rows()) &&
         (K.W() - coarse_.W).norm() > kOutdated * K.W().norm();
}

const Matrix& InnerSolver::preconditioned_residual() {
  if (!preconditioner_) return cg_.r;
  preconditioner_->apply(cg_.r, z_);
  project(z_);
  return z_;
}

double InnerSolver::scaled_size() const {
  return std::sqrt(
      column_sums([&](RowRange rows) {
        return cg_.r(rows, Eigen::all).cwiseAbs2().cwiseProduct(curvature_(rows, Eigen::all));
      }).sum());
}

// The system above, as conjugate_gradients() needs it.
struct InnerSolver::NewtonSystem {
  InnerSolver& solver;
  KernelOperator& K;
  double target;
  int patience;
  bool fresh;  // the preconditioner needs no change in this solve

  bool coupled() const { return solver.loss_.coupled(); }
  bool remembers() const {
    return !solver.preconditioner_ && solver.Y_.size() <= kRememberedUnknowns;
  }
  bool solved(const Matrix&, const RowVector&) const { return solver.scaled_size() <= target; }
  bool renew(int step) {
    if (fresh || step < patience) return false;
    solver.precondition(K);
    return fresh = true;
  }
  void multiply(const Matrix& p, Matrix& out) const { solver.multiply(K, p, out); }
  const Matrix& precondition(const Matrix&) const { return solver.preconditioned_residual(); }
  void moved(const RowVector& length) const {
    if (solver.loss_.quadratic()) solver.K_delta_mean_ += solver.product_mean_.cwiseProduct(length);
  }
  void give_up() const {
    solver.preconditioner_.reset();
    solver.coarse_ = {};
    solver.preconditioning_ = Preconditioning::never;
  }
};

bool InnerSolver::conjugate_gradients(KernelOperator& K, double target, int& iterations) {
  cg_.r = residual_.cwiseQuotient(root_);
  project(cg_.r);
  K_delta_mean_.setZero(cg_.r.cols());
  if (preconditioning_ == Preconditioning::always || outdated(K)) precondition(K);
  NewtonSystem system{*this, K, target,
                      preconditioner_        ? kPatienceWithOlder
                      : many_rows(Y_.rows()) ? 0
                                             : kPatience,
                      preconditioning_ != Preconditioning::automatic || Y_.rows() <= kCholeskyRows};
  return bkernn::conjugate_gradients(system, cg_, iteration_limit(), iterations);
}

}  // namespace bkernn
