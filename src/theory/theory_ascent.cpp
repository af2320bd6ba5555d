#include "theory/theory_ascent.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn::theory {
namespace {

constexpr Index kCandidates = 8;    // random starts that are tried for each one that is followed
constexpr double kFirstStep = 0.3;  // of an ascent, relative to ‖w‖ = 1
constexpr double kLastStep = 1e-4;  // where it ends

// q(w_j) = tr(EᵀK^(w_j)E) and ∇q(w_j) for every column of W, by Euler's identity.
class QuadraticForm {
 public:
  QuadraticForm(const MatrixView& X, const Matrix& E)
      : rows_(Matrix::Zero(X.rows() + 1, X.cols())), kernel_(make_kernel("brownian")) {
    rows_.topRows(X.rows()) = X;
    alpha_.resize(rows_.rows(), E.cols());
    alpha_.topRows(E.rows()) = E;
    alpha_.row(E.rows()) = -E.colwise().sum();
    K_ = make_operator("sorted", rows_, *kernel_);
  }

  Vector evaluate(const Matrix& W, Matrix& gradient) const {
    K_->set_particles(W);
    gradient = 2 * static_cast<double>(W.cols()) * K_->particle_gradient(alpha_);
    return W.cwiseProduct(gradient).colwise().sum().transpose();
  }

 private:
  Matrix rows_;  // X and the origin
  Matrix alpha_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<KernelOperator> K_;
};

// Onto the sphere. q is homogeneous and not negative, so stretching never lowers it.
void project_to_sphere(Eigen::Ref<Vector> column, Sphere sphere) {
  Vector w = column;
  if (sphere == Sphere::l1) project_to_l1_ball(w);
  const double norm = sphere == Sphere::l1 ? w.lpNorm<1>() : w.norm();
  column = norm > 0 ? Vector(w / norm) : w;
}

Matrix starts(const MatrixView& X, const Matrix& E, Sphere sphere, Index random, Rng& rng) {
  const Index d = X.cols(), q = E.cols();
  const Index vertices = sphere == Sphere::l1 ? 2 * d : 0;
  Matrix W(d, random + q + vertices);
  W.leftCols(random) = rng.normal_matrix(d, random);
  W.middleCols(random, q) = X.transpose() * E;
  if (vertices > 0) W.rightCols(vertices) << Matrix::Identity(d, d), -Matrix::Identity(d, d);
  for (Index j = 0; j < W.cols(); ++j) project_to_sphere(W.col(j), sphere);
  return W;
}

// Drops all but the `keep` best columns.
void keep_best(Matrix& W, Vector& q, Matrix& gradient, Index keep) {
  if (W.cols() <= keep) return;
  std::vector<Index> order(W.cols());
  for (Index j = 0; j < W.cols(); ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return q(a) > q(b); });
  order.resize(keep);
  W = Matrix(W(Eigen::all, order));
  gradient = Matrix(gradient(Eigen::all, order));
  q = Vector(q(order));
}

}  // namespace

// Soft thresholding at the level that makes ‖w‖₁ = 1.
void project_to_l1_ball(Vector& w) {
  if (w.lpNorm<1>() <= 1) return;
  Vector sizes = w.cwiseAbs();
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0, level = 0;
  for (Index a = 0; a < sizes.size(); ++a) {
    sum += sizes(a);
    const double candidate = (sum - 1) / static_cast<double>(a + 1);
    if (sizes(a) > candidate) level = candidate;
  }
  w = w.unaryExpr([&](double v) { return v > level ? v - level : v < -level ? v + level : 0.0; });
}

SphereMaximum maximize_on_sphere(const MatrixView& X, const Matrix& E, Sphere sphere,
                                 Index restarts, int max_iter, Rng& rng) {
  const QuadraticForm form(X, E);
  Matrix W = starts(X, E, sphere, kCandidates * restarts, rng), gradient, trial_gradient;
  Vector q = form.evaluate(W, gradient);
  keep_best(W, q, gradient, restarts + 1);
  Vector step = Vector::Constant(W.cols(), kFirstStep);
  for (int k = 0; k < max_iter && step.maxCoeff() > kLastStep; ++k) {
    Matrix trial = W;
    for (Index j = 0; j < W.cols(); ++j) {
      const double norm = gradient.col(j).norm();
      if (norm == 0) continue;
      trial.col(j) += (step(j) / norm) * gradient.col(j);
      project_to_sphere(trial.col(j), sphere);
    }
    const Vector trial_q = form.evaluate(trial, trial_gradient);
    for (Index j = 0; j < W.cols(); ++j) {
      if (trial_q(j) > q(j)) {
        q(j) = trial_q(j);
        W.col(j) = trial.col(j);
        gradient.col(j) = trial_gradient.col(j);
        step(j) *= 1.5;
      } else {
        step(j) *= 0.5;
      }
    }
  }
  Index best = 0;
  const double value = q.maxCoeff(&best);
  return {std::max(value, 0.0), W.col(best)};
}

Vector brownian_quadratic_form(const MatrixView& X, const Matrix& W, const Vector& epsilon,
                               Matrix* gradient) {
  require(epsilon.size() == X.rows(), "epsilon", epsilon.size(), "must be one per row of X");
  require(W.rows() == X.cols(), "W", W.rows(), "must have one row per column of X");
  Matrix slope;
  Vector q = QuadraticForm(X, epsilon).evaluate(W, slope);
  if (gradient != nullptr) *gradient = slope;
  return q;
}

}  // namespace bkernn::theory
