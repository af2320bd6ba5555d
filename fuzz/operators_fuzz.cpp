// Random small problems: sorted, knots and dense operators give the same products, gradients and predictions, and both inner
// solvers the same optimum, within errors that rounding explains.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "inner_solver.hpp"
#include "kernel_operator.hpp"
#include "numbers.hpp"

namespace {

using namespace bkernn;

struct Problem {
  explicit Problem(fuzz::Numbers& numbers)
      : kernel(make_kernel(numbers.pick(kernel_names()))),
        X(numbers.matrix(numbers.between(2, 24), numbers.between(1, 3))),
        W(numbers.matrix(X.cols(), numbers.between(1, 5))),
        V(numbers.matrix(X.rows(), numbers.between(1, 3))),
        Z(numbers.matrix(4, X.cols())) {
    V.rowwise() -= V.colwise().mean().eval();
  }

  std::unique_ptr<KernelOperator> make(const std::string& name) const {
    auto K = make_operator(name, X, *kernel, name == "knots" ? X.rows() : 0);
    K->set_particles(W);
    return K;
  }

  bool has(const std::string& name) const {
    return name == "dense" ||
           (kernel->is_markov() && (name == "sorted" || kernel->name() == "brownian"));
  }

  std::unique_ptr<Kernel> kernel;
  Matrix X, W, V, Z;
};

Matrix centred(const Matrix& A) {
  return A.rowwise() - A.colwise().mean();
}

double largest(const Matrix& A) {
  return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
}

bool near(const Matrix& a, const Matrix& b, double error) {
  return a.allFinite() && b.allFinite() && largest(a - b) <= error;
}

// Products are right up to a constant per column. Rounding: of projections, and of sums over rows.
void compare_operators(const Problem& problem) {
  const auto dense = problem.make("dense");
  Matrix want, found;
  dense->apply(problem.V, want);
  const double n = static_cast<double>(problem.X.rows());
  const double weight = problem.V.cwiseAbs().colwise().sum().maxCoeff();
  const double reach = problem.kernel->name() == "brownian"
                           ? largest(problem.X * problem.W) + 1e-300
                           : 1 + largest(problem.X * problem.W);
  for (const std::string name : {"sorted", "knots"}) {
    if (!problem.has(name)) continue;
    const auto K = problem.make(name);
    K->apply(problem.V, found);
    BKERNN_FUZZ_CHECK(near(centred(found), centred(want), 1e-13 * n * weight * reach));
    const Matrix p = K->predict(problem.V, problem.X), same = found;
    BKERNN_FUZZ_CHECK(near(centred(p), centred(same), 1e-13 * n * weight * reach));
    Matrix both(problem.X.rows() + problem.Z.rows(), problem.X.cols());
    both << problem.X, problem.Z;
    const double far = problem.kernel->name() == "brownian" ? largest(both * problem.W) + 1e-300
                                                            : 1 + largest(both * problem.W);
    BKERNN_FUZZ_CHECK(near(centred(K->predict(problem.V, both)),
                           centred(dense->predict(problem.V, both)), 1e-12 * n * weight * far));
  }
}

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

// A relative residual t leaves the value within t²g²/2 of the optimum for the square loss, and of the order of t g² for
// the others (see inner_solver.hpp); both must hold whatever the operator and the method.
void compare_solvers(const Problem& problem, fuzz::Numbers& numbers) {
  const std::string name =
      numbers.pick(std::vector<std::string>{"square", "huber", "logistic", "poisson"});
  const auto loss = make_loss(name, {});
  const Index n = problem.X.rows();
  Matrix Y = numbers.matrix(n, 1);
  if (name == "logistic") Y = (Y.array() > 0).cast<double>();
  if (name == "poisson") Y = Y.array().abs().min(1000).round();
  Vector s = numbers.matrix(n, 1).cwiseAbs().array().min(100) + 0.01;
  s *= static_cast<double>(n) / s.sum();
  const double lambda = std::pow(10.0, static_cast<double>(numbers.between(-6, 3)));
  const std::string op = numbers.pick(std::vector<std::string>{"sorted", "knots", "dense"});
  if (!problem.has(op)) return;
  // Conjugate gradients alone would take for ever where the condition is bad; "automatic" turns to Cholesky there.
  const double condition =
      static_cast<double>(problem.X.cols()) * largest(problem.X) * largest(problem.W) / lambda;
  const InnerMethod method = numbers.between(0, 1) == 0 ? InnerMethod::automatic
                             : condition < 1e6          ? InnerMethod::conjugate_gradients
                                                        : InnerMethod::cholesky;
  const Solved want = solve(problem, "dense", *loss, Y, s, lambda, InnerMethod::cholesky);
  const Solved found = solve(problem, op, *loss, Y, s, lambda, method);
  BKERNN_FUZZ_CHECK(found.solution.F.allFinite() && found.solution.alpha.allFinite());
  if (!found.solution.converged || !want.solution.converged) return;
  const double g = want.scale, value = std::abs(want.solution.value);
  BKERNN_FUZZ_CHECK(std::abs(found.solution.value - want.solution.value) <=
                    1e-6 * (g * g + value) + 1e-12 * Y.squaredNorm());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Numbers numbers(data, size);
  const Problem problem(numbers);
  compare_operators(problem);
  compare_solvers(problem, numbers);
  return 0;
}
