#include "objective/knot_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/active_columns.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "inner/conjugate_gradients.hpp"
#include "loops/projections.hpp"
#include "loops/segments.hpp"
#include "rows/find_coordinates.hpp"

namespace bkernn {
namespace {

constexpr Index kRowsPerKnot = 32;  // of the sample, to place the knots
constexpr int kMaxNewtonSteps = 100;
constexpr int kMaxHalvings = 40;
constexpr int kMaxProducts = 2000;
constexpr double kGradientBound =
    2;  // |g_i| that are expected, in quanta of the largest at the best constant
constexpr double kRounding = 1e-12;  // of the value: so much tells no two steps apart

// As the shards have them, so that a row of the sample that becomes a knot stands on it.
Matrix project(const Matrix& Z, const Matrix& W) {
  Matrix P(Z.rows(), W.cols());
  loops::project(Z.rows(), Z.cols(), W.cols(), Z.data(), Z.rows(), W.data(), W.rows(), P.data(),
                 P.rows());
  return P.cast<float>().cast<double>();
}

}  // namespace

// What conjugate_gradients() asks of a Newton step.
struct KnotObjective::NewtonSystem {
  KnotObjective& self;
  double target;  // of norm()

  bool coupled() const { return self.loss_.coupled(); }
  bool remembers() const { return false; }
  bool solved(const Matrix&, const RowVector& rho) const {
    if (rho.size() == 0) return false;
    const double sum = coupled() ? rho(0) : rho.sum();
    return std::sqrt(std::max(sum, 0.0) / self.n_) <= target * self.gradient_scale_;
  }
  static bool renew(int) { return false; }
  void multiply(const Matrix& p, Matrix& Ap) const {
    Ap = self.shards_.product(p, self.quantum_for(self.bound_of_product(p)));
    self.layout_.add_stiffness(self.stiffness(), p, Ap);
  }
  const Matrix& precondition(const Matrix& r) const { return self.preconditioner_->apply(r); }
  static void moved(const RowVector&) {}
  static void give_up() {}
};

KnotObjective::KnotObjective(Shards& shards, Index n, StandardRows sample, const Loss& loss,
                             double lambda, Index knots)
    : Objective(lambda),
      shards_(shards),
      n_(static_cast<double>(n)),
      sample_(std::move(sample)),
      loss_(loss),
      Q_(knots) {
  solve(Matrix::Zero(sample_.Z.cols(), 1), 1e-12, true);
  best_constant_ = x_.bottomRows(1);
  gradient_scale_ = to_float_precision(std::sqrt(found_.squares / n_));
  if (!(gradient_scale_ > 1e-150)) gradient_scale_ = 1;
  if (found_.largest > 1e-150) gradient_bound_ = kGradientBound * found_.largest;
}

void KnotObjective::describe(FitReport& report) const {
  report.inner_solver = "cg";
  report.coarse_unknowns = preconditioner_ ? preconditioner_->unknowns() : 0;
  report.kernel_operator = "knots";
}

double KnotObjective::stiffness() const {
  return n_ * lambda() * static_cast<double>(W_.cols());
}

void KnotObjective::set_particles(const Matrix& W) {
  W_ = W;
  active_ = active_columns(W);
  const Matrix particles = W(Eigen::all, active_);
  P_ = project(sample_.Z, particles);
  const Matrix extremes = shards_.extremes(particles);
  const Index stride = std::max<Index>(1, P_.rows() / (kRowsPerKnot * Q_));
  Knots t(active_.size());
  parallel_for(P_.cols(), 40 * static_cast<double>(P_.size()) / static_cast<double>(stride),
               [&](Index a) {
                 const Vector some = P_(Eigen::seq(0, P_.rows() - 1, stride), a);
                 t[a] = choose_knots(some, -extremes(0, a), extremes(1, a), Q_);
               });
  layout_ = KnotLayout(std::move(t));
  placed_ = false;
  preconditioner_.reset();
}

double KnotObjective::quantum_for(double largest) const {
  return FixedPoint::quantum_for(largest, std::max(n_, 2.0 * static_cast<double>(Q_)));
}

double KnotObjective::bound_of_product(const Matrix& v) const {
  RowVector f = v.bottomRows(1).cwiseAbs();
  for (Index a = 0; a < layout_.particles(); ++a) {
    const Index unknowns = layout_.unknowns(a);
    if (unknowns > 0) f += v.middleRows(layout_.first(a), unknowns).cwiseAbs().colwise().maxCoeff();
  }
  return f.maxCoeff() * found_.curvature * (loss_.coupled() ? 2 : 1);
}

RowVector KnotObjective::bound_of_gradient() const {
  RowVector reach(layout_.particles());
  const std::vector<RidgeFunction> h = functions();
  for (Index a = 0; a < layout_.particles(); ++a) {
    const Vector& t = layout_.knots(a);
    const Index segments = t.size() - 1;
    const Vector gaps = t.tail(segments) - t.head(segments);
    const Matrix rises = h[a].values.bottomRows(segments) - h[a].values.topRows(segments);
    const Vector slopes = rises.cwiseAbs().rowwise().sum().cwiseQuotient(gaps);
    reach(a) = slopes.size() > 0 ? slopes.maxCoeff() : 0.0;
  }
  return reach * (found_.largest * found_.max_abs_z / static_cast<double>(W_.cols()));
}

void KnotObjective::evaluate_at(const Matrix& x) {
  found_ = shards_.evaluate(placed_ ? nullptr : &layout_, x, quantum_for(gradient_bound_));
  placed_ = true;
  if (found_.largest > gradient_bound_)
    found_ = shards_.evaluate(nullptr, x, quantum_for(found_.largest));
  if (!std::isfinite(found_.largest))
    found_.gradient.setConstant(std::numeric_limits<double>::quiet_NaN());
  x_ = x;
  Matrix pull = Matrix::Zero(x.rows(), x.cols());
  layout_.add_stiffness(stiffness(), x, pull);
  residual_ = -found_.gradient - pull;
  value_ = (found_.loss + 0.5 * x.cwiseProduct(pull).sum()) / n_;
}

void KnotObjective::precondition() {
  Vector D = sample_.s;
  if (!loss_.quadratic()) {
    Matrix gradient, curvature;
    loss_.derivatives(sample_.Y, predict(sample_.Z), sample_.s, gradient, curvature);
    D = curvature.rowwise().mean();
  }
  D *= n_ / static_cast<double>(sample_.s.size());
  preconditioner_ = std::make_unique<KnotPreconditioner>(P_, layout_, D, stiffness());
}

double KnotObjective::norm() const {
  const double rho = residual_.cwiseProduct(preconditioner_->apply(residual_)).sum();
  return std::sqrt(std::max(rho, 0.0) / n_) / gradient_scale_;
}

bool KnotObjective::newton_step(double tolerance, double now, int& iterations) {
  const double loose = std::max(0.3 * tolerance, 0.05 * now * std::min(1.0, now));
  NewtonSystem system{*this, loss_.quadratic() ? 0.5 * tolerance : loose};
  CgVectors cg;
  cg.r = residual_;
  conjugate_gradients(system, cg, kMaxProducts, iterations);
  const Matrix start = x_;
  const double value = value_, slope = -residual_.cwiseProduct(cg.x).sum() / n_;
  double step = 1;
  for (int halving = 0; halving < kMaxHalvings; ++halving, step *= 0.5) {
    evaluate_at(start + step * cg.x);
    const double allowed = value + 1e-4 * step * slope + kRounding * std::abs(value);
    if (loss_.quadratic() || value_ <= allowed) return true;
  }
  evaluate_at(start);
  return false;
}

Objective::Inner KnotObjective::solve(const Matrix& W, double tolerance, bool) {
  if (W_.size() != W.size() || W_ != W) set_particles(W);
  const Index unknowns = layout_.unknowns(), q = sample_.Y.cols();
  Matrix cold = Matrix::Zero(unknowns + 1, q);
  cold.bottomRows(1) =
      best_constant_.size() > 0 ? best_constant_ : loss_.start(sample_.Y, sample_.s);
  const bool warm = kept_.rows() == unknowns + 1;
  evaluate_at(warm ? kept_ : cold);
  if (warm && !std::isfinite(value_)) evaluate_at(cold);
  Inner inner;
  double previous = std::numeric_limits<double>::infinity(), value = previous;
  for (int step = 0; step <= kMaxNewtonSteps; ++step) {
    if (!preconditioner_ || !loss_.quadratic()) precondition();
    inner.residual = norm();
    inner.converged = inner.residual <= tolerance;
    if (inner.converged || step == kMaxNewtonSteps) break;
    const bool idle = loss_.quadratic() || std::abs(value - value_) <= kRounding * std::abs(value_);
    if (idle && inner.residual > 0.5 * previous) break;  // rounding
    previous = inner.residual;
    value = value_;
    if (!newton_step(tolerance, inner.residual, inner.iterations)) break;
  }
  inner.value = value_;
  return inner;
}

Matrix KnotObjective::gradient() {
  Matrix full = Matrix::Zero(W_.rows(), W_.cols());
  const RowVector quanta =
      bound_of_gradient().unaryExpr([&](double reach) { return quantum_for(reach); });
  full(Eigen::all, active_) = shards_.gradient(quanta) / n_;
  return full;
}

InnerState KnotObjective::save() const {
  InnerState state;
  state.unknowns = x_.topRows(x_.rows() - 1);
  state.intercept = x_.bottomRows(1);
  return state;
}

void KnotObjective::restore(const Matrix& W, const InnerState& state) {
  set_particles(W);
  require(state.unknowns.rows() == layout_.unknowns(), "resume", state.unknowns.rows(),
          "must come from a fit of the same data with the same knots");
  Matrix x(state.unknowns.rows() + 1, state.unknowns.cols());
  x << state.unknowns, state.intercept;
  evaluate_at(x);
  keep();
}

std::vector<RidgeFunction> KnotObjective::functions() const {
  std::vector<RidgeFunction> functions(active_.size());
  for (Index a = 0; a < layout_.particles(); ++a) {
    const Vector& t = layout_.knots(a);
    Matrix h = Matrix::Zero(t.size(), x_.cols());
    h.bottomRows(h.rows() - 1) =
        x_.middleRows(layout_.first(a), h.rows() - 1) * static_cast<double>(W_.cols());
    functions[a] = {t, std::move(h)};
  }
  return functions;
}

Matrix KnotObjective::predict(const Matrix& Z) const {
  Matrix F = x_.bottomRows(1).replicate(Z.rows(), 1);
  Vector values(Z.rows());
  for (Index a = 0; a < layout_.particles(); ++a) {
    const Vector p = Z * W_.col(active_[a]);
    const Vector& t = layout_.knots(a);
    const SegmentFinder knots(t.size(), t.data(), true);
    Vector h = Vector::Zero(t.size());
    for (Index q = 0; q < F.cols(); ++q) {
      h.tail(h.size() - 1) = x_.col(q).segment(layout_.first(a), h.size() - 1);
      loops::interpolate_linear(knots, h.data(), Z.rows(), p.data(), values.data());
      F.col(q) += values;
    }
  }
  return F;
}

}  // namespace bkernn
