#include "bkernn/fit.hpp"

#include <chrono>
#include <cmath>
#include <optional>

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/penalty.hpp"
#include "choices.hpp"
#include "inner_solver.hpp"
#include "kernel_operator.hpp"
#include "loops.hpp"
#include "memory.hpp"
#include "objective.hpp"
#include "optimizer.hpp"
#include "parallel.hpp"
#include "prepared_data.hpp"
#include "stages.hpp"
#include "theory_lambda.hpp"

namespace bkernn {
namespace {

double choose_lambda(const FitOptions& options, const PreparedData& data, const Loss& loss) {
  if (options.regularization) return *options.regularization / target_unit(data);
  if (options.regularization_rule == "theory")
    return theory::describe_prepared(data, options, {}).lambda;
  return automatic_lambda(data, loss);
}

void check_resumed(const OptimizerState& state, Index d, Index m, const std::vector<Index>& stages,
                   Index q) {
  const auto stage = static_cast<std::size_t>(state.stage);
  const Index n = stage < stages.size() ? stages[stage] : -1;
  require(state.W.rows() == d && state.W.cols() == m && state.alpha.rows() == n &&
              state.alpha.cols() == q,
          "resume",
          std::to_string(state.alpha.rows()) + " rows, " + std::to_string(state.W.rows()) +
              " variables, " + std::to_string(state.W.cols()) + " particles",
          "must come from a fit of the same data with the same options");
}

// Mean loss on the validation rows, in the units of the fit, for the particles that K holds.
Validation make_validation(const FitInput& input, const PreparedData& data, const Loss& loss,
                           const KernelOperator& K, const Objective& objective) {
  if (input.validation_X == nullptr) return {};
  const MatrixView &X = *input.validation_X, &Y = *input.validation_Y;
  auto Z = std::make_shared<Matrix>(
      ((X.rowwise() - data.center).array().rowwise() / data.scale.array()).matrix());
  auto targets = std::make_shared<Matrix>(
      ((Y.rowwise() - data.target_center).array().rowwise() / data.target_scale.array()).matrix());
  return [Z, targets, &loss, &K, &objective] {
    const Matrix F =
        K.predict(objective.solution().alpha, *Z).rowwise() + objective.solution().intercept;
    return loss.value(*targets, F, Vector::Ones(F.rows())) / static_cast<double>(F.rows());
  };
}

// Particles, functions and intercept in the units of y. Brownian functions are shifted to h(0) = 0.
Model assemble(const FitOptions& options, const PreparedData& data, const Kernel& kernel,
               const KernelOperator& K, const Matrix& W, const InnerSolution& inner) {
  Model model;
  model.kernel = options.kernel;
  model.loss = options.loss;
  model.penalty = options.penalty;
  model.n_particles = W.cols();
  model.center = data.center;
  model.scale = data.scale;
  model.W.resize(W.rows(), static_cast<Index>(K.active().size()));
  for (Index a = 0; a < model.W.cols(); ++a) model.W.col(a) = W.col(K.active()[a]);
  model.functions = K.functions(inner.alpha);
  model.intercept = inner.intercept;
  for (RidgeFunction& h : model.functions) {
    for (Index k = 0; k < h.values.cols(); ++k) {
      if (options.kernel == "brownian") {
        const double zero = 0;
        double at_zero = 0;
        const loops::SegmentFinder knots(h.knots.size(), h.knots.data(), false);
        kernel.evaluate(knots, h.values.col(k).data(), 1, &zero, &at_zero);
        h.values.col(k).array() -= at_zero;
        model.intercept(k) += at_zero / static_cast<double>(W.cols());
      }
      h.values.col(k) *= data.target_scale(k);
    }
  }
  model.intercept = model.intercept.cwiseProduct(data.target_scale) + data.target_center;
  return model;
}

}  // namespace

double automatic_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  FitOptions automatic = options;
  automatic.regularization.reset();
  const PreparedData data = prepare_data(input, automatic, *loss);
  return automatic_lambda(data, *loss) * target_unit(data);
}

FitResult fit(const FitInput& input, const FitOptions& options, Observer* observer) {
  const auto start = std::chrono::steady_clock::now();
  options.validate();
  const ThreadLimit limit(options.n_threads);
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  const std::unique_ptr<Kernel> kernel = make_kernel(options.kernel);
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const std::unique_ptr<Penalty> penalty = make_penalty(options.penalty, options.concavity);
  const PreparedData data = prepare_data(input, options, *loss);
  const Index n = data.Z.rows(), d = data.Z.cols(), q = data.Y.cols();

  const OperatorChoice products = choose_operator(options, *kernel, n);
  check_memory(products.name, n, d, options.n_particles, q, available_memory());
  const double lambda = choose_lambda(options, data, *loss);
  const Matrix initial = initial_particles(options, data);
  const std::vector<Index> stages = stage_rows(options, n, d);
  OptimizerOptions outer = outer_options(options);

  OptimizerState state;
  state.W = initial;
  if (input.resume != nullptr) {
    state = *input.resume;
    check_resumed(state, d, options.n_particles, stages, q);
  }
  FitResult result;
  FitReport& report = result.report;
  const auto run = [&](Index rows, bool last) {
    const PreparedData part = last ? PreparedData() : sample_rows(data, rows, options.seed + rows);
    const PreparedData& stage = last ? data : part;
    const double stage_lambda =
        last ? lambda : lambda * static_cast<double>(n) / static_cast<double>(rows);
    const std::unique_ptr<KernelOperator> K =
        make_operator(products.name, stage.Z, *kernel, products.knots, options.seed);
    InnerSolver inner(*loss, stage.Y, stage.s, stage_lambda, choose_inner(options.inner_solver),
                      choose_preconditioning(options.preconditioner));
    Objective objective(*K, inner, stage_lambda);
    const Validation validation = make_validation(input, data, *loss, *K, objective);
    outer.finish = last;
    minimize(objective, *penalty, outer, validation, observer, state, report);
    if (!last) return;
    const InnerSolution& solution = objective.solution();
    result.model = assemble(options, data, *kernel, *K, state.W, solution);
    result.alpha.setZero(input.X.rows(), q);
    for (Index i = 0; i < n; ++i) {
      result.alpha.row(data.rows[i]) = solution.alpha.row(i).cwiseProduct(data.target_scale);
    }
    report.inner_solver = inner.method_in_use() == InnerMethod::cholesky ? "cholesky" : "cg";
    report.coarse_unknowns = inner.coarse_unknowns();
    report.kernel_operator = K->name();
    report.knots = products.knots;
  };
  bool stopped = false;
  for (const int last = static_cast<int>(stages.size()) - 1;;) {
    run(stages[state.stage], state.stage == last);
    if (state.stage == last) break;
    stopped = report.termination == Termination::stopped;
    state = next_stage(state, initial);
    if (!stopped) continue;
    state.stage = last;  // what was learnt so far becomes a model of all rows
    outer.max_iter = 0;
  }
  if (stopped) report.termination = Termination::stopped;

  result.regularization = lambda * target_unit(data);
  result.W = state.W;
  result.intercept = options.kernel == "brownian"
                         ? RowVector(result.model.predict(Matrix::Zero(1, d)).row(0))
                         : result.model.intercept;
  report.optimizer = outer.paper ? "paper" : "spectral";
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

FitResult fit(const MatrixView& X, const MatrixView& Y, const FitOptions& options) {
  return fit(FitInput{.X = X, .Y = Y}, options);
}

}  // namespace bkernn
