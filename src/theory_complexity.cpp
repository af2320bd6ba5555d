#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/theory.hpp"
#include "kernel_operator.hpp"
#include "parallel.hpp"
#include "rng.hpp"

namespace bkernn::theory {
namespace {

constexpr double kFirstStep = 0.3;  // of an ascent, as an angle: relative to ‖w‖ = 1
constexpr double kLastStep = 1e-4;  // where it ends

// The rows and the origin.
Matrix with_origin(const MatrixView& X) {
  Matrix rows = Matrix::Zero(X.rows() + 1, X.cols());
  rows.topRows(X.rows()) = X;
  return rows;
}

// q(w_j) and ∇q(w_j) for every column, by Euler's identity.
class QuadraticForm {
 public:
  QuadraticForm(const Matrix& rows, const Vector& epsilon)
      : kernel_(make_kernel("brownian")), K_(make_operator("sorted", rows, *kernel_)) {
    alpha_.resize(rows.rows(), 1);
    alpha_.col(0).head(epsilon.size()) = epsilon;
    alpha_(epsilon.size(), 0) = -epsilon.sum();
  }

  Vector evaluate(const Matrix& W, Matrix& gradient) const {
    K_->set_particles(W);
    gradient = 2 * static_cast<double>(W.cols()) * K_->particle_gradient(alpha_);
    return W.cwiseProduct(gradient).colwise().sum().transpose();
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<KernelOperator> K_;
  Matrix alpha_;
};

// The nearest point of the ℓ1 ball (Duchi et al. 2008): soft thresholding at the level that makes
// ‖w‖₁ = 1.
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

// Onto the sphere. q is homogeneous and not negative, so stretching never lowers it.
void project_to_sphere(Vector& w, Sphere sphere) {
  if (sphere == Sphere::l1) project_to_l1_ball(w);
  const double norm = sphere == Sphere::l1 ? w.lpNorm<1>() : w.norm();
  if (norm > 0) w /= norm;
}

Matrix starts(const MatrixView& X, const Vector& epsilon, Sphere sphere, Index restarts, Rng& rng) {
  const Index d = X.cols();
  const Index vertices = sphere == Sphere::l1 ? 2 * d : 0;
  Matrix W(d, restarts + 1 + vertices);
  W.leftCols(restarts) = rng.normal_matrix(d, restarts);
  W.col(restarts) = X.transpose() * epsilon;
  if (vertices > 0) W.rightCols(vertices) << Matrix::Identity(d, d), -Matrix::Identity(d, d);
  for (Index j = 0; j < W.cols(); ++j) {
    Vector w = W.col(j);
    project_to_sphere(w, sphere);
    W.col(j) = w;
  }
  return W;
}

// Drops all but the `keep` best columns: the vertices of the ℓ1 sphere are many.
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

struct Maximum {
  double value;
  Vector w;
};

Maximum ascend(const MatrixView& X, const Matrix& rows, const Vector& epsilon, Sphere sphere,
               const ComplexityOptions& options, Rng& rng) {
  const QuadraticForm form(rows, epsilon);
  Matrix W = starts(X, epsilon, sphere, options.restarts, rng), gradient, trial_gradient;
  Vector q = form.evaluate(W, gradient);
  keep_best(W, q, gradient, options.restarts + 1);
  Vector step = Vector::Constant(W.cols(), kFirstStep);
  for (int k = 0; k < options.max_iter && step.maxCoeff() > kLastStep; ++k) {
    Matrix trial = W;
    for (Index j = 0; j < W.cols(); ++j) {
      const double norm = gradient.col(j).norm();
      if (norm == 0) continue;
      Vector w = W.col(j) + (step(j) / norm) * gradient.col(j);
      project_to_sphere(w, sphere);
      trial.col(j) = w;
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
  return {std::sqrt(std::max(value, 0.0)) / static_cast<double>(X.rows()), W.col(best)};
}

}  // namespace

void ComplexityOptions::validate() const {
  require(draws >= 1, "draws", draws, "must be at least 1");
  require(restarts >= 0, "restarts", restarts, "must be at least 0");
  require(max_iter >= 0, "max_iter", max_iter, "must be at least 0");
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0 (0: all cores)");
}

ComplexityEstimate estimate_gaussian_complexity(const MatrixView& X, Sphere sphere,
                                                const ComplexityOptions& options) {
  options.validate();
  dual_norms(X, sphere);  // checks X
  const ThreadLimit limit(options.n_threads);
  const Matrix rows = with_origin(X);
  ComplexityEstimate estimate;
  estimate.suprema.resize(options.draws);
  estimate.maximizers.resize(X.cols(), options.draws);
  const double cost = static_cast<double>(X.size() * options.draws * (options.restarts + 1) * 100);
  parallel_for(options.draws, cost, [&](Index draw) {
    Rng rng(options.seed + static_cast<std::uint64_t>(draw));
    const Vector epsilon = rng.normal_matrix(X.rows(), 1);
    const Maximum found = ascend(X, rows, epsilon, sphere, options, rng);
    estimate.suprema(draw) = found.value;
    estimate.maximizers.col(draw) = found.w;
  });
  estimate.value = estimate.suprema.mean();
  if (options.draws > 1) {
    const auto draws = static_cast<double>(options.draws);
    estimate.standard_error = std::sqrt((estimate.suprema.array() - estimate.value).square().sum() /
                                        (draws * (draws - 1)));
  }
  return estimate;
}

Vector brownian_quadratic_form(const MatrixView& X, const Matrix& W, const Vector& epsilon,
                               Matrix* gradient) {
  require(epsilon.size() == X.rows(), "epsilon", epsilon.size(), "must be one per row of X");
  require(W.rows() == X.cols(), "W", W.rows(), "must have one row per column of X");
  const Matrix rows = with_origin(X);
  Matrix slope;
  const Vector q = QuadraticForm(rows, epsilon).evaluate(W, slope);
  if (gradient != nullptr) *gradient = slope;
  return q;
}

}  // namespace bkernn::theory
