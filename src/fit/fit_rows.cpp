#include "fit/fit_rows.hpp"

#include <algorithm>
#include <chrono>

#include "bkernn/error.hpp"
#include "bkernn/penalty.hpp"
#include "fit/resolve_options.hpp"
#include "objective/dual_objective.hpp"
#include "outer/optimizer.hpp"
#include "outer/stages.hpp"

namespace bkernn {
namespace {

struct DualParts {
  std::unique_ptr<KernelOperator> K;
  InnerSolver inner;
};

class OwningDualObjective final : private DualParts, public DualObjective {
 public:
  OwningDualObjective(DualParts parts, double lambda)
      : DualParts(std::move(parts)), DualObjective(*DualParts::K, DualParts::inner, lambda) {}
};

void check_resumed(const OptimizerState& state, const Coordinates& coordinates, Index m,
                   const std::vector<Index>& stages, bool on_knots) {
  const auto stage = static_cast<std::size_t>(state.stage);
  const Index n = stage < stages.size() ? stages[stage] : -1;
  const bool counts_knots = on_knots && stage + 1 == stages.size();
  require(state.W.rows() == coordinates.center.size() && state.W.cols() == m &&
              (state.alpha.rows() == n || (counts_knots && state.alpha.rows() > 0)) &&
              state.alpha.cols() == coordinates.target_center.size(),
          "resume",
          std::to_string(state.alpha.rows()) + " rows, " + std::to_string(state.W.rows()) +
              " variables, " + std::to_string(state.W.cols()) + " particles",
          "must come from a fit of the same data with the same options");
}

// Mean loss on the validation rows, in the units of the fit.
Validation make_validation(const ValidationRows& rows, const Coordinates& coordinates,
                           const Loss& loss, const Objective& objective) {
  if (rows.X == nullptr) return {};
  auto Z = std::make_shared<Matrix>(
      ((rows.X->rowwise() - coordinates.center).array().rowwise() / coordinates.scale.array())
          .matrix());
  auto targets =
      std::make_shared<Matrix>(((rows.Y->rowwise() - coordinates.target_center).array().rowwise() /
                                coordinates.target_scale.array())
                                   .matrix());
  return [Z, targets, &loss, &objective] {
    const Matrix F = objective.predict(*Z);
    return loss.value(*targets, F, Vector::Ones(F.rows())) / static_cast<double>(F.rows());
  };
}

// Particles, functions and intercept in the units of y. Functions of homogeneous kernels are
// shifted to h(0) = 0.
Model assemble(const FitOptions& options, const Coordinates& coordinates, const Matrix& W,
               const Objective& objective) {
  const std::unique_ptr<Kernel> kernel = make_kernel(options.kernel);
  Model model;
  model.kernel = options.kernel;
  model.loss = options.loss;
  model.penalty = options.penalty;
  model.n_particles = W.cols();
  model.center = coordinates.center;
  model.scale = coordinates.scale;
  std::vector<Index> active;
  for (Index j = 0; j < W.cols(); ++j) {
    if ((W.col(j).array() != 0).any()) active.push_back(j);
  }
  model.W = W(Eigen::all, active);
  model.functions = objective.functions();
  model.intercept = objective.intercept();
  for (RidgeFunction& h : model.functions) {
    for (Index k = 0; k < h.values.cols(); ++k) {
      if (kernel->homogeneous()) {
        const double zero = 0;
        double at_zero = 0;
        const SegmentFinder knots(h.knots.size(), h.knots.data(), false);
        kernel->evaluate(knots, h.values.col(k).data(), 1, &zero, &at_zero);
        h.values.col(k).array() -= at_zero;
        model.intercept(k) += at_zero / static_cast<double>(W.cols());
      }
      h.values.col(k) *= coordinates.target_scale(k);
    }
  }
  model.intercept =
      model.intercept.cwiseProduct(coordinates.target_scale) + coordinates.target_center;
  return model;
}

constexpr Index kKnotSample = 20000;

}  // namespace

PreparedData knot_sample(Rows& rows, std::uint64_t seed) {
  return rows.sample(std::min(rows.coordinates().n, kKnotSample), seed);
}

std::unique_ptr<Objective> make_dual_objective(const PreparedData& data, const FitOptions& options,
                                               const std::string& kernel_operator,
                                               const Kernel& kernel, const Loss& loss,
                                               double lambda) {
  return std::make_unique<OwningDualObjective>(
      DualParts{make_operator(kernel_operator, data.Z, kernel, options.knots, options.seed),
                InnerSolver(loss, data.Y, data.s, lambda, choose_inner(options.inner_solver),
                            choose_preconditioning(options.preconditioner))},
      lambda);
}

FitResult fit_rows(Rows& rows, const FitOptions& options, bool on_knots, const Loss& loss,
                   const ValidationRows& validation_rows, const OptimizerState* resume,
                   Observer* observer) {
  const auto start = std::chrono::steady_clock::now();
  const Coordinates& coordinates = rows.coordinates();
  const Index n = coordinates.n, d = coordinates.center.size();
  const std::unique_ptr<Kernel> kernel = make_kernel(options.kernel);
  const std::unique_ptr<Penalty> penalty = make_penalty(options.penalty, options.concavity);
  const double lambda = rows.choose_lambda();
  const Matrix initial = initial_particles(options, coordinates);
  const std::vector<Index> stages = stage_rows(options, n, d, on_knots);
  OptimizerOptions outer = outer_options(options);

  OptimizerState state;
  state.W = initial;
  if (resume != nullptr) {
    state = *resume;
    check_resumed(state, coordinates, options.n_particles, stages, on_knots);
  }
  FitResult result;
  FitReport& report = result.report;
  const auto run = [&](Objective& objective) {
    const Validation validation = make_validation(validation_rows, coordinates, loss, objective);
    minimize(objective, *penalty, outer, validation, observer, state, report);
  };
  bool stopped = false;
  outer.finish = false;
  for (const int last = static_cast<int>(stages.size()) - 1; state.stage < last;) {
    const Index count = stages[state.stage];
    const PreparedData part = rows.sample(count, options.seed + static_cast<std::uint64_t>(count));
    const double stage_lambda = lambda * static_cast<double>(n) / static_cast<double>(count);
    run(*make_dual_objective(part, options, kernel->markov() ? "sorted" : "dense", *kernel, loss,
                             stage_lambda));
    stopped = report.termination == Termination::stopped;
    state = next_stage(state, initial);
    if (!stopped) continue;
    state.stage = last;  // what was learnt so far becomes a model of all rows
    outer.max_iter = 0;
  }
  outer.finish = true;
  outer.few_steps = takes_few_steps(n, on_knots);
  const std::unique_ptr<Objective> objective = rows.objective(lambda);
  run(*objective);
  if (stopped) report.termination = Termination::stopped;
  objective->describe(report);

  result.model = assemble(options, coordinates, state.W, *objective);
  result.alpha = objective->alpha();
  if (result.alpha.size() > 0) result.alpha *= coordinates.target_scale.asDiagonal();
  result.regularization = lambda * target_scale_rms(coordinates);
  result.W = state.W;
  result.intercept = kernel->homogeneous()
                         ? RowVector(result.model.predict(Matrix::Zero(1, d)).row(0))
                         : result.model.intercept;
  report.optimizer = outer.paper ? "paper" : "spectral";
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace bkernn
