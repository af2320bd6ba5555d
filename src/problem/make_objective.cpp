#include "problem/make_objective.hpp"

#include <algorithm>

#include "objective/dual_objective.hpp"
#include "objective/knot_objective.hpp"
#include "problem/resolve_options.hpp"

namespace bkernn {
namespace {

constexpr Index kKnotSample = 20000;  // rows that place the knots and make the preconditioner

struct DualParts {
  std::unique_ptr<KernelOperator> K;
  InnerSolver inner;
};

class OwningDualObjective final : private DualParts, public DualObjective {
 public:
  OwningDualObjective(DualParts parts, double lambda)
      : DualParts(std::move(parts)), DualObjective(*DualParts::K, DualParts::inner, lambda) {}
};

std::unique_ptr<DualObjective> make_dual_objective(const FitParts& parts, const StandardRows& rows,
                                                   const std::string& kernel_operator,
                                                   double lambda) {
  const FitOptions& options = parts.options;
  return std::make_unique<OwningDualObjective>(
      DualParts{make_operator(kernel_operator, rows.Z, *parts.kernel, options.knots, options.seed),
                InnerSolver(*parts.loss, rows.Y, rows.s, lambda, choose_inner(options.inner_solver),
                            choose_preconditioning(options.preconditioner))},
      lambda);
}

}  // namespace

std::unique_ptr<Objective> make_objective(const FitProblem& problem, double lambda,
                                          const WarmStart* start) {
  const FitParts& parts = problem.parts;
  if (parts.on_knots) {
    const Index n = problem.n();
    return std::make_unique<KnotObjective>(
        problem.shards, n,
        sample_rows(problem.shards, n, std::min(n, kKnotSample), parts.options.seed), *parts.loss,
        lambda, parts.options.knots);
  }
  std::unique_ptr<DualObjective> objective =
      make_dual_objective(parts, *problem.shards.here(), parts.kernel_operator, lambda);
  if (start != nullptr) objective->start_from(start->alpha, start->intercept);
  return objective;
}

std::unique_ptr<Objective> make_sample_objective(const FitParts& parts, const StandardRows& sample,
                                                 double lambda) {
  return make_dual_objective(parts, sample, parts.kernel->markov() != nullptr ? "sorted" : "dense",
                             lambda);
}

}  // namespace bkernn
