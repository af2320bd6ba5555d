#include "problem/resolve_options.hpp"

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr Index kManyElements = 200'000'000;  // rows × particles of the sorted operator, by default
constexpr Index kAutomaticKnots = 256;
constexpr double kParticlesPerRoot = 3.2;    // of the number of rows
constexpr double kAutomaticElements = 1e6;   // rows × particles
constexpr double kFewest = 50, kMost = 200;  // particles
constexpr Index kTrial = 50;
constexpr double kLongestOfClasses = 0.5;
constexpr Index kDenseRows = 20000;  // beyond it the dense operator would take several times 3 GB

// Before the weights are known.
Index most_particles(const FitOptions& options, Index rows) {
  return options.n_particles > 0 ? options.n_particles
                                 : automatic_particles(static_cast<double>(rows));
}

}  // namespace

Index automatic_particles(double total_weight) {
  const double n = std::max(total_weight, 1.0);
  const double wanted = std::min(kParticlesPerRoot * std::sqrt(n), kAutomaticElements / n);
  return static_cast<Index>(std::clamp(std::round(wanted), kFewest, kMost));
}

Index particle_count(const FitOptions& options, const Coordinates& coordinates) {
  if (options.n_particles > 0) return options.n_particles;
  if (options.init.size() > 0) return options.init.cols();
  return automatic_particles(coordinates.total_weight);
}

OperatorChoice choose_operator(const FitOptions& options, const Kernel& kernel, Index rows) {
  OperatorChoice choice{options.kernel_operator, options.knots};
  if (choice.name == "auto") {
    const bool huge =
        kernel.piecewise_linear() && rows > kManyElements / most_particles(options, rows);
    choice.name = options.knots > 0 || huge ? "knots" : kernel.markov() ? "sorted" : "dense";
    if (huge && options.knots == 0) choice.knots = kAutomaticKnots;
  }
  require(choice.name != "dense" || rows <= kDenseRows, "X", std::to_string(rows) + " rows",
          "the dense operator takes at most " + std::to_string(kDenseRows) +
              "; the brownian and exponential kernels have the sorted one");
  return choice;
}

Index automatic_knots() {
  return kAutomaticKnots;
}

bool solves_on_knots(const FitOptions& options, const OperatorChoice& products) {
  return products.name == "knots" && options.inner_solver != "cholesky";
}

void require_preconditioner(const FitOptions& options) {
  require(options.preconditioner != "never", "preconditioner", options.preconditioner,
          "a fit on knots needs one; take auto");
}

InnerMethod choose_inner(const std::string& name) {
  if (name == "cg") return InnerMethod::conjugate_gradients;
  return name == "cholesky" ? InnerMethod::cholesky : InnerMethod::automatic;
}

Preconditioning choose_preconditioning(const std::string& name) {
  if (name == "never") return Preconditioning::never;
  return name == "always" ? Preconditioning::always : Preconditioning::automatic;
}

Matrix initial_particles(const FitOptions& options, const Coordinates& coordinates,
                         std::uint64_t seed, Index k) {
  if (options.init.size() > 0) return options.init;
  const Index d = k > 0 ? k : coordinates.center.size(), m = particle_count(options, coordinates);
  // A block varies as much as a number does.
  const std::vector<Index>& blocks = coordinates.blocks;
  const Index size = k > 0 || blocks.empty() ? d : static_cast<Index>(blocks.size()) - 1;
  Matrix W = Rng(seed).normal_matrix(d, m) / std::sqrt(static_cast<double>(size));
  if (k > 0) return W;
  for (Index a = 0; a < d; ++a) {
    if (coordinates.constant(a)) W.row(a).setZero();
  }
  return W;
}

Matrix trial_particles(const FitOptions& options, const Coordinates& coordinates, Index k) {
  FitOptions trial = options;
  if (trial.init.size() == 0 && trial.n_particles == 0) trial.n_particles = kTrial;
  return initial_particles(trial, coordinates, options.seed, k);
}

double longest_step(const Loss& loss) {
  return loss.classifies() ? kLongestOfClasses : OptimizerOptions().longest_step;
}

OptimizerOptions outer_options(const FitOptions& options, const Loss& loss) {
  return {.step_rule = options.optimizer,
          .penalty_weight = options.penalty_weight,
          .max_iter = options.max_iter,
          .tol = options.tol,
          .step_size = options.step_size,
          .max_halvings = options.max_halvings,
          .longest_step = longest_step(loss),
          .inner_tol = options.inner_tol,
          .early_stopping = options.early_stopping,
          .n_iter_no_change = options.n_iter_no_change};
}

}  // namespace bkernn
