// Random small problems: sorted, knots and dense operators give the same products, gradients and
// predictions, and both inner solvers the same value, α and F, within errors that rounding and the
// solvers' tolerance explain. Solves that did not converge cannot be compared; how many there were
// is said at the end.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "check.hpp"
#include "inner/inner_solver.hpp"
#include "numbers.hpp"
#include "operators/kernel_operator.hpp"

namespace {

using namespace bkernn;

double largest(const Matrix& A) {
  return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
}

struct Problem {
  explicit Problem(fuzz::Numbers& numbers)
      : kernel(make_kernel(numbers.pick(kernel_names()))),
        X(numbers.table(24, 3)),
        W(numbers.matrix(X.cols(), numbers.between(1, 5))),
        V(numbers.matrix(X.rows(), numbers.between(1, 3))),
        Z(numbers.matrix(4, X.cols())) {
    center(V);
  }

  // 1ᵀV = 0 up to the rounding of V as it is after subtracting means, which may be all that is left
  // of it.
  static void center(Matrix& V) {
    V.rowwise() -= V.colwise().mean().eval();
    V.bottomRows(1) = -V.topRows(V.rows() - 1).colwise().sum();
  }

  std::unique_ptr<KernelOperator> make(const std::string& name) const {
    auto K = make_operator(name, X, *kernel, name == "knots" ? X.rows() : 0);
    K->set_particles(W);
    return K;
  }

  bool has(const std::string& name) const {
    return name == "dense" ||
           (kernel->markov() && (name == "sorted" || kernel->piecewise_linear()));
  }

  // The size of the kernel's values at the rows of A, times the rounding of projections.
  double reach(const Matrix& A) const {
    return largest(A * W) + (kernel->homogeneous() ? 1e-300 : 1);
  }

  std::unique_ptr<Kernel> kernel;
  Matrix X, W, V, Z;
};

Matrix centered(const Matrix& A) {
  return A.rowwise() - A.colwise().mean();
}

bool near(const Matrix& a, const Matrix& b, double error) {
  return a.allFinite() && b.allFinite() && largest(a - b) <= error;
}

// The gradients of all three see the same projections (with so few variables they are summed in the
// same order), so ties are ties in all of them. Only scans that know decays, not gaps, take gaps
// for ties that do not change e^{−gap/2}: each such pair may differ by its share. Q = n knots are
// all distinct projections, where knots and dense mean the same slopes.
double gradient_error(const Problem& problem) {
  const Matrix& V = problem.V;
  const double n = static_cast<double>(V.rows());
  double error =
      1e-13 * n * largest(problem.X) * V.cwiseAbs().colwise().sum().squaredNorm() + 1e-300;
  if (!problem.kernel->markov() || problem.kernel->piecewise_linear()) return error;
  const auto K = problem.make("dense");
  const Matrix P = K->project(0, static_cast<Index>(K->active().size()));
  for (Index i = 0; i < P.rows(); ++i) {
    for (Index k = 0; k < i; ++k) {
      const auto gaps = (P.row(i) - P.row(k)).array().abs();
      if ((gaps > 0 && gaps < 1e-15).any())
        error += std::abs(V.row(i).dot(V.row(k))) * largest(problem.X.row(i) - problem.X.row(k));
    }
  }
  return error;
}

// Products are right up to a constant per column. Rounding: of projections, and of sums over rows.
void compare_operators(const Problem& problem) {
  const auto dense = problem.make("dense");
  Matrix want, found;
  dense->apply(problem.V, want);
  const double n = static_cast<double>(problem.X.rows());
  const double weight = problem.V.cwiseAbs().colwise().sum().maxCoeff();
  const double reach = problem.reach(problem.X);
  for (const std::string name : {"sorted", "knots"}) {
    if (!problem.has(name)) continue;
    const auto K = problem.make(name);
    K->apply(problem.V, found);
    BKERNN_FUZZ_CHECK(near(centered(found), centered(want), 1e-13 * n * weight * reach));
    const Matrix p = K->predict(problem.V, problem.X), same = found;
    BKERNN_FUZZ_CHECK(near(centered(p), centered(same), 1e-13 * n * weight * reach));
    Matrix both(problem.X.rows() + problem.Z.rows(), problem.X.cols());
    both << problem.X, problem.Z;
    const double far = problem.reach(both);
    BKERNN_FUZZ_CHECK(near(centered(K->predict(problem.V, both)),
                           centered(dense->predict(problem.V, both)), 1e-12 * n * weight * far));
    BKERNN_FUZZ_CHECK(near(K->particle_gradient(problem.V), dense->particle_gradient(problem.V),
                           gradient_error(problem)));
  }
}

struct Count {
  ~Count() { std::fprintf(stderr, "solvers: %ld compared, %ld not converged\n", compared, open); }
  long compared = 0, open = 0;
} count;

struct Solved {
  InnerSolution solution;
  double scale;
};

Solved solve(const Problem& problem, const std::string& name, const Loss& loss, const Matrix& Y,
             const Vector& s, double lambda, InnerMethod method) {
  const auto K = problem.make(name);
  InnerSolver solver(loss, Y, s, lambda, method);
  Solved solved;
  solver.solve(*K, 1e-8, solved.solution, true);
  solved.scale = solver.gradient_scale();
  return solved;
}

// R = −(∇ + nλα), ∇ = s ℓ'(F), measured here. The solver's tolerance is about R if y is a class. Of
// other losses it is about R without its mean. That is what is left of the slope in the intercept,
// whose search ends where the value no longer changes: early where the loss is almost flat.
Vector residual(const Loss& loss, const Matrix& Y, const Vector& s, double lambda, double g,
                const InnerSolution& solution) {
  const double n = static_cast<double>(s.size());
  Matrix slope, curvature;
  loss.derivatives(Y, solution.F, s, slope, curvature);
  BKERNN_FUZZ_CHECK(std::abs(slope.sum()) <= 1e-3 * slope.cwiseAbs().sum() + 1e-5 * n);
  Vector R = -slope - n * lambda * solution.alpha;
  const Vector rest = R.array() - (loss.classifies() ? 0 : R.mean());
  const double noise = 1e-13 * (Y.norm() + s.norm());  // as in inner_solver.cpp
  BKERNN_FUZZ_CHECK(std::sqrt(rest.cwiseAbs2().cwiseQuotient(s).sum()) <=
                    1.6 * (1e-8 * g * std::sqrt(n) + noise));
  return R;
}

// Two solutions, Δ their difference, ‖r‖² = Σ r_i²/s_i. From Δ∇ = −ΔR − nλΔα and 1ᵀΔα = 0, with ρ =
// ‖ΔR‖,
//   square loss  √Σ s_i ΔF_i² ≤ ρ  and  nλ‖Δα‖ ≤ 2ρ,   as Δ∇ = s ΔF;
//   any          nλ‖Δα‖ ≤ ρ + ‖Δ∇‖,   ‖Δ∇‖² ≤ L ⟨Δ∇, ΔF⟩ ≤ L (ρ²κ/(nλ) + |mean ΔR · ΣΔF|),
// L ≥ ℓ'' and κ ≥ the eigenvalues of s^½ΠKΠs^½. What another operator rounds otherwise in F is
// added to R.
void compare_solutions(const Problem& problem, const Loss& loss, const Matrix& Y, const Vector& s,
                       double lambda, double g, const InnerSolution& want,
                       const InnerSolution& found) {
  const double n = static_cast<double>(s.size());
  const double highest = std::max(want.F.maxCoeff(), found.F.maxCoeff());
  const double L = loss.targets() == Targets::counts ? std::exp(highest) : 1;
  const double reach = problem.reach(problem.X);
  const double weight = want.alpha.cwiseAbs().sum() + found.alpha.cwiseAbs().sum();
  const double rounded = std::sqrt(n) * 1e-13 * (n * weight * reach + largest(want.F) + largest(Y));
  const Vector dR = residual(loss, Y, s, lambda, g, found) - residual(loss, Y, s, lambda, g, want);
  const double rho = std::sqrt(dR.cwiseAbs2().cwiseQuotient(s).sum()) + L * rounded;
  const Vector dalpha = found.alpha - want.alpha, dF = found.F - want.F;
  const double alpha = n * lambda * std::sqrt(dalpha.cwiseAbs2().cwiseQuotient(s).sum());
  if (loss.quadratic()) {
    BKERNN_FUZZ_CHECK(std::sqrt(dF.cwiseAbs2().cwiseProduct(s).sum()) <= rho + rounded);
    BKERNN_FUZZ_CHECK(alpha <= 2 * rho + rounded);
    return;
  }
  const double kappa = s.maxCoeff() * n * reach;
  const double slopes = L * (rho * rho * kappa / (n * lambda) + std::abs(dR.mean() * dF.sum()));
  BKERNN_FUZZ_CHECK(alpha <= 1.01 * (rho + std::sqrt(slopes)));
}

// A relative residual t leaves the value within t²g²/2 of the optimum for the square loss, and of
// the order of t g² for the others (see inner_solver.hpp); both must hold whatever the operator and
// the method.
void compare_solvers(const Problem& problem, fuzz::Numbers& numbers) {
  const auto loss =
      make_loss(numbers.pick(std::vector<std::string>{"square", "huber", "logistic", "poisson"}));
  const Index n = problem.X.rows();
  Matrix Y = numbers.matrix(n, 1);
  if (loss->classifies()) Y = (Y.array() > 0).cast<double>();
  if (loss->targets() == Targets::counts) Y = Y.array().abs().min(1000).round();
  Vector s = numbers.matrix(n, 1).cwiseAbs().array().min(100) + 0.01;
  s *= static_cast<double>(n) / s.sum();
  const double lambda = std::pow(10.0, static_cast<double>(numbers.between(-6, 3)));
  std::string op = numbers.pick(std::vector<std::string>{"sorted", "knots", "dense"});
  if (!problem.has(op)) op = problem.has("sorted") ? "sorted" : "dense";
  // Conjugate gradients alone would take for ever where the condition is bad; "automatic" turns to
  // Cholesky there.
  const double condition =
      static_cast<double>(problem.X.cols()) * largest(problem.X) * largest(problem.W) / lambda;
  const InnerMethod method = numbers.between(0, 1) == 0 ? InnerMethod::automatic
                             : condition < 1e6          ? InnerMethod::conjugate_gradients
                                                        : InnerMethod::cholesky;
  const Solved want = solve(problem, "dense", *loss, Y, s, lambda, InnerMethod::cholesky);
  const Solved found = solve(problem, op, *loss, Y, s, lambda, method);
  BKERNN_FUZZ_CHECK(found.solution.F.allFinite() && found.solution.alpha.allFinite());
  if (!found.solution.converged || !want.solution.converged) {
    ++count.open;
    return;
  }
  ++count.compared;
  const double g = want.scale, value = std::abs(want.solution.value);
  const double unit = loss->scale_equivariant() ? 0 : 0.01;  // as in inner_solver.cpp
  BKERNN_FUZZ_CHECK(std::abs(found.solution.value - want.solution.value) <=
                    1e-6 * (g * g + value + unit) + 1e-12 * Y.squaredNorm());
  compare_solutions(problem, *loss, Y, s, lambda, g, want.solution, found.solution);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Numbers numbers(data, size);
  const Problem problem(numbers);
  compare_operators(problem);
  compare_solvers(problem, numbers);
  return 0;
}
