// Conjugate gradients and their preconditioner, and the passes over rows that they are made of.
#include <cmath>

#include "inner_solver.hpp"
#include "parallel.hpp"

namespace bkernn {
namespace {

// A preconditioner is made after so many products in one solve, about what it costs (its histograms take O(n m²)) and what the
// solve then still takes; after fewer if an older one is in use and does not help enough.
constexpr int kPatience = 300;
constexpr int kPatienceWithOlder = 60;
constexpr Index kManyRows = 50000;  // where it is made at once, and again when W has changed
constexpr double kOutdated = 1e-3;  // by this much, relatively

using Rows = Eigen::ArithmeticSequence<Index, Index>;

// r_i²/s_i, as an expression.
template <class Residual, class Weights>
auto weighted_squares(const Residual& r, const Weights& s) {
  return r.cwiseAbs2().cwiseProduct(s.cwiseInverse().replicate(1, r.cols()));
}

}  // namespace

// Passes over the rows: body(rows) for blocks of them, and the column sums of what body(rows) gives.
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
  return std::sqrt(column_sums([&](Rows rows) {
                     return weighted_squares(residual(rows, Eigen::all), s_(rows));
                   }).sum());
}

void InnerSolver::project(Matrix& u) const {
  if (!loss_.coupled()) {
    const RowVector along = column_sums([&](Rows rows) {
                              return root_(rows, Eigen::all).cwiseProduct(u(rows, Eigen::all));
                            }).cwiseQuotient(root_squares_);
    for_rows(
        [&](Rows rows) { u(rows, Eigen::all) -= root_(rows, Eigen::all) * along.asDiagonal(); });
    return;
  }
  const auto remove_row_parts = [&](Matrix& w) {
    const Vector along =
        root_.cwiseProduct(w).rowwise().sum().cwiseQuotient(root_.rowwise().squaredNorm());
    w -= along.asDiagonal() * root_;
  };
  remove_row_parts(u);
  const RowVector along = root_.cwiseProduct(u).colwise().sum() * intercept_gram_;
  Matrix constants = root_ * along.asDiagonal();
  remove_row_parts(constants);
  u -= constants;
}

void InnerSolver::multiply(KernelOperator& K, const Matrix& u, Matrix& out) {
  v_.resize(u.rows(), u.cols());
  for_rows([&](Rows rows) {
    v_(rows, Eigen::all) = root_(rows, Eigen::all).cwiseProduct(u(rows, Eigen::all));
  });
  K.apply(v_, out);
  product_mean_ = column_sums([&](Rows rows) { return out(rows, Eigen::all); }) / n_;
  for_rows([&](Rows rows) { out(rows, Eigen::all).array() *= root_(rows, Eigen::all).array(); });
  project(out);
  for_rows([&](Rows rows) { out(rows, Eigen::all) += n_ * lambda_ * u(rows, Eigen::all); });
}

void InnerSolver::precondition(const KernelOperator& K, const RowVector& weights) {
  preconditioner_ = K.preconditioner(weights.size() > 0 ? Vector(weights) : s_, n_ * lambda_);
  coarse_ = preconditioner_ ? Coarse{K.W(), weights} : Coarse{};
}

void InnerSolver::precondition(const KernelOperator& K) {
  precondition(K, loss_.quadratic() ? RowVector() : RowVector(D_.rowwise().mean()));
}

void InnerSolver::restore(KernelOperator& K, const Coarse& coarse) {
  if (coarse.W.size() == 0) return;
  K.set_particles(coarse.W);
  precondition(K, coarse.weights);
}

bool InnerSolver::outdated(const KernelOperator& K) const {
  return preconditioner_ && Y_.rows() >= kManyRows &&
         (K.W() - coarse_.W).norm() > kOutdated * K.W().norm();
}

const Matrix& InnerSolver::preconditioned_residual() {
  if (!preconditioner_) return r_;
  preconditioner_->apply(r_, z_);
  project(z_);
  return z_;
}

double InnerSolver::scaled_size() const {
  return std::sqrt(column_sums([&](Rows rows) {
                     return weighted_squares(
                         root_(rows, Eigen::all).cwiseProduct(r_(rows, Eigen::all)), s_(rows));
                   }).sum());
}

// Columns are independent systems unless the loss couples them: each then has its own step lengths.
bool InnerSolver::conjugate_gradients(KernelOperator& K, double target, int& iterations) {
  const auto dot = [&](const Matrix& a, const Matrix& b) -> RowVector {
    const RowVector columns = column_sums(
        [&](Rows rows) { return a(rows, Eigen::all).cwiseProduct(b(rows, Eigen::all)); });
    return loss_.coupled() ? RowVector::Constant(columns.size(), columns.sum()) : columns;
  };
  const auto ratio = [](const RowVector& a, const RowVector& b) -> RowVector {
    return a.binaryExpr(b, [](double x, double y) { return y > 0 ? x / y : 0.0; });
  };
  r_ = residual_.cwiseQuotient(root_);
  project(r_);
  u_.setZero(r_.rows(), r_.cols());
  K_delta_mean_.setZero(r_.cols());
  RowVector rho;
  const auto begin = [&] {
    p_ = preconditioned_residual();
    rho = dot(r_, p_);
  };
  if (preconditioning_ == Preconditioning::always || outdated(K)) precondition(K);
  begin();
  bool fresh = preconditioning_ != Preconditioning::automatic || Y_.rows() <= kCholeskyRows;
  const int patience = preconditioner_ ? kPatienceWithOlder : Y_.rows() < kManyRows ? kPatience : 0;
  for (int step = 0; step < iteration_limit(); ++step) {
    if (scaled_size() <= target) return true;
    if (!fresh && step >= patience) {
      precondition(K);
      begin();
      fresh = true;
    }
    multiply(K, p_, Mp_);
    ++iterations;
    const RowVector length = ratio(rho, dot(p_, Mp_));
    K_delta_mean_ += product_mean_.cwiseProduct(length);
    for_rows([&](Rows rows) {
      u_(rows, Eigen::all) += p_(rows, Eigen::all) * length.asDiagonal();
      r_(rows, Eigen::all) -= Mp_(rows, Eigen::all) * length.asDiagonal();
    });
    const Matrix& z = preconditioned_residual();
    const RowVector rho_next = dot(r_, z);
    if (preconditioner_ && !(rho_next.array() >= 0).all()) {  // rounding has made it indefinite
      preconditioner_.reset();
      coarse_ = {};
      preconditioning_ = Preconditioning::never;
      begin();
      continue;
    }
    const RowVector turn = ratio(rho_next, rho);
    for_rows([&](Rows rows) {
      p_(rows, Eigen::all) = z(rows, Eigen::all) + p_(rows, Eigen::all) * turn.asDiagonal();
    });
    rho = rho_next;
  }
  return scaled_size() <= target;
}

}  // namespace bkernn
