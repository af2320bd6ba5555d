#include "bkernn/distributed.hpp"

#include <optional>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "bkernn/error.hpp"
#include "problem/resolve_options.hpp"
#include "rows/check_input.hpp"
#include "rows/remote_shards.hpp"
#include "training/fit_rows.hpp"

namespace bkernn {
namespace {

// The options of a fit on knots.
FitOptions with_knots(FitOptions options) {
  options.validate();
  require(make_kernel(options.kernel)->piecewise_linear(), "kernel", options.kernel,
          "rows in several places need the brownian kernel");
  require(options.kernel_operator == "auto" || options.kernel_operator == "knots",
          "kernel_operator", options.kernel_operator, "rows in several places need knots");
  require(options.inner_solver != "cholesky", "inner_solver", options.inner_solver,
          "rows in several places need cg");
  require(options.intervals == "none", "intervals", options.intervals,
          "needs all rows in one place");
  if (options.knots == 0) options.knots = automatic_knots();
  return options;
}

}  // namespace

FitResult fit_distributed(const DistributedInput& input, const FitOptions& options,
                          Observer* observer) {
  const Stopwatch watch;
  const FitParts parts(with_knots(options), 0);
  const ThreadLimit limit(options.n_threads);
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  check_validation_given(input.validation_X, input.validation_Y, options);
  RemoteShards shards(input.ask);
  const FitProblem problem(parts, shards, input.encoder);
  check_validation(input.validation_X, input.validation_Y, problem.d(), problem.q(), options,
                   *parts.loss);
  check_initial_particles(options, problem.d());
  FitResult result =
      fit_rows(problem, {input.validation_X, input.validation_Y}, input.resume, observer);
  result.report.seconds = watch.seconds();
  return result;
}

}  // namespace bkernn
