#include "model/expansion.hpp"

#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "bkernn/penalty.hpp"
#include "loops/projections.hpp"

namespace bkernn {
namespace {

constexpr double kOutside = 1e-13;  // of W may lie outside the basis
constexpr int kFirstBits = 10, kMostBits = 50;

Matrix product(const Matrix& A, const Matrix& B) {
  Matrix P(A.rows(), B.cols());
  loops::project(A.rows(), A.cols(), B.cols(), A.data(), A.rows(), B.data(), B.rows(), P.data(),
                 P.rows());
  return P;
}

// Σ_i α_i k(p, p_i) by its coefficients at the knots.
RidgeFunction sum_of_kernels(const Vector& p, const std::vector<std::int32_t>& order,
                             const Matrix& alpha) {
  Index knots = 0;
  Vector t(p.size());
  Matrix v(p.size(), alpha.cols());
  for (const std::int32_t i : order) {
    if (knots == 0 || p(i) > t(knots - 1)) {
      t(knots) = p(i);
      v.row(knots++).setZero();
    }
    v.row(knots - 1) += alpha.row(i);
  }
  return {t.head(knots), v.topRows(knots)};
}

RidgeFunction function_of_rows(const Kernel& kernel, const Vector& p, const Matrix& alpha) {
  std::vector<std::int32_t> order(p.size());
  Vector sorted(p.size()), steps(p.size());
  loops::sort_projections(p.size(), p.data(), order.data(), sorted.data());
  const MarkovKernel* const markov = kernel.markov();
  if (markov == nullptr) return sum_of_kernels(p, order, alpha);
  markov->steps(p.size(), sorted.data(), steps.data());
  return markov_function(*markov, p, {order.data(), steps.data()}, alpha);
}

Index rows_of(const Model& model) {
  Index rows = 0;
  for (const Expansion& one : model.expansions) rows = std::max(rows, one.rows.rows());
  return rows;
}

// How far two piecewise-linear functions are from each other: farthest at a knot of one of them.
RowVector distance(const Kernel& kernel, const RidgeFunction& a, const RidgeFunction& b) {
  RowVector most = RowVector::Zero(a.values.cols());
  const auto from = [&](const RidgeFunction& at, const RidgeFunction& other) {
    const SegmentFinder finder(other.knots.size(), other.knots.data(), true);
    Vector found(at.knots.size());
    for (Index q = 0; q < most.size(); ++q) {
      kernel.evaluate(finder, other.values.col(q).data(), found.size(), at.knots.data(),
                      found.data());
      most(q) = std::max(most(q), (found - at.values.col(q)).cwiseAbs().maxCoeff());
    }
  };
  from(a, b);
  from(b, a);
  return most;
}

// No |f(x) − rounded f(x)| exceeds this.
RowVector bound(const Model& exact, const Model& rounded) {
  const std::unique_ptr<Kernel> kernel = make_kernel(exact.kernel);
  const auto count = static_cast<Index>(exact.functions.size());
  Matrix each(count, exact.n_outputs());
  parallel_for(count, 200.0 * static_cast<double>(count * rows_of(exact)), [&](Index j) {
    each.row(j) = distance(*kernel, exact.functions[j], rounded.functions[j]);
  });
  return each.colwise().sum() / static_cast<double>(exact.n_particles);
}

// To multiples of a power of two that has `bits` binary digits of the largest one.
template <class Numbers>
void round_to(Numbers&& numbers, int bits) {
  const double largest = numbers.cwiseAbs().maxCoeff();
  if (largest == 0) return;
  const double quantum = std::ldexp(1.0, std::ilogb(largest) + 1 - bits);
  if (quantum > 0) numbers = (numbers / quantum).array().round() * quantum + 0.0;  // −0 is 0
}

// The constant of each function is open.
void set_functions(Model& model) {
  const std::unique_ptr<Kernel> kernel = make_kernel(model.kernel);
  const Index m = model.W.cols(), q = model.n_outputs();
  const double knots = static_cast<double>(m) * static_cast<double>(rows_of(model));
  require(8 * knots * static_cast<double>(1 + q) < available_memory(), "expansions", knots,
          "knots do not fit into the memory of this machine");
  model.functions.assign(m, {});
  Index first = 0;
  for (const Expansion& one : model.expansions) {
    const Matrix C = product(one.basis.transpose(), model.W.middleCols(first, one.particles));
    parallel_for(one.particles, 50 * knots, [&](Index j) {
      const Vector p = product(one.rows, C.col(j));
      require(p.allFinite(), "expansions", "infinite", "every projection must be finite");
      model.functions[first + j] = function_of_rows(*kernel, p, one.alpha);
    });
    first += one.particles;
  }
}

}  // namespace

RidgeFunction markov_function(const MarkovKernel& kernel, const Vector& p,
                              const SortedParticle& sorted, const Matrix& alpha) {
  const Index n = p.size();
  Matrix h(n, alpha.cols());
  for (Index q = 0; q < alpha.cols(); ++q)
    kernel.knot_values(n, sorted, alpha.col(q).data(), h.col(q).data());
  Index knots = 0;
  Vector t(n);
  for (Index k = 0; k < n; ++k) {
    const double here = p(sorted.order[k]);
    if (knots > 0 && here <= t(knots - 1)) continue;
    t(knots) = here;
    h.row(knots) = h.row(k);
    ++knots;
  }
  return {t.head(knots), h.topRows(knots)};
}

// A basis of singular vectors pays if it is smaller than that of the variables in use, and serves
// if the directions lie in it up to rounding.
Expansion make_expansion(const Matrix& W, const Matrix& Z, Matrix alpha) {
  std::vector<Index> used;
  for (Index a = 0; a < W.rows(); ++a) {
    if (!W.row(a).isZero(0)) used.push_back(a);
  }
  const LeftSingular svd = left_singular(W);
  const Index rank = (svd.values.array() > 1e-12 * svd.values(0)).count();
  Matrix basis = svd.vectors.leftCols(rank);
  const Matrix outside = W - basis * (basis.transpose() * W);
  if (rank >= static_cast<Index>(used.size()) ||
      outside.cwiseAbs().maxCoeff() > kOutside * W.cwiseAbs().maxCoeff())
    basis = Matrix::Identity(W.rows(), W.rows())(Eigen::all, used);
  Matrix rows = product(Z, basis);
  return {W.cols(), std::move(basis), std::move(rows), std::move(alpha)};
}

void validate_expansions(const Model& model) {
  Index particles = 0;
  for (const Expansion& one : model.expansions) {
    particles += one.particles;
    require(one.particles >= 1 && particles <= model.W.cols(), "expansions", one.particles,
            "must share the active particles, " + std::to_string(model.W.cols()));
    require(one.basis.rows() == model.n_features() && one.basis.cols() >= 1, "expansions.basis",
            one.basis.rows(), "must have one row per variable");
    require(one.rows.rows() >= 1 && one.rows.cols() == one.basis.cols(), "expansions.rows",
            one.rows.cols(), "must be numbers in the coordinates of the basis");
    require(one.alpha.rows() == one.rows.rows() && one.alpha.cols() == model.n_outputs(),
            "expansions.alpha", one.alpha.cols(), "must be one number per row and output");
    require(one.basis.allFinite() && one.rows.allFinite() && one.alpha.allFinite(), "expansions",
            "NaN or infinite", "every number must be finite");
  }
  require(model.expansions.empty() || particles == model.W.cols(), "expansions", particles,
          "must share the active particles, " + std::to_string(model.W.cols()));
}

void Model::follow_expansions() {
  require(!expansions.empty(), "expansions", "none", "there must be one at least");
  validate_expansions(*this);
  const RowVector fixed = intercept;
  set_functions(*this);
  anchor();
  intercept = fixed;
}

Model round_expansions(const Model& model) {
  Model rounded = model;
  rounded.tolerance.resize(0);
  for (int bits = kFirstBits; bits <= kMostBits;) {
    for (std::size_t i = 0; i < model.expansions.size(); ++i) {
      const Expansion& exact = model.expansions[i];
      Expansion& one = rounded.expansions[i];
      one.rows = exact.rows;
      one.alpha = exact.alpha;
      round_to(one.rows, bits);
      for (Index q = 0; q < one.alpha.cols(); ++q) round_to(one.alpha.col(q), bits);
    }
    rounded.follow_expansions();
    const RowVector moved = bound(model, rounded);
    if ((moved.array() <= model.tolerance.array()).all()) return rounded;
    const double excess = (moved.array() / model.tolerance.array().max(1e-300)).maxCoeff();
    bits += std::isfinite(excess) ? std::clamp(std::ilogb(excess), 1, kMostBits) : kMostBits;
  }
  rounded.expansions = model.expansions;
  rounded.functions = model.functions;
  return rounded;
}

}  // namespace bkernn
