#include "bkernn/fit.hpp"

#include <optional>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "bkernn/distinct_rows.hpp"
#include "calibration/calibrate.hpp"
#include "choice/choose.hpp"
#include "fit/fit_kinds.hpp"
#include "rows/check_input.hpp"
#include "rows/shard.hpp"
#include "training/fit_rows.hpp"

namespace bkernn {
namespace {

FitResult fit_distinct(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                       Observer* observer) {
  const FitParts parts(options, rows.size());
  std::optional<Shard> shard(make_shard(input, rows, *parts.loss));
  check_calibration(input, rows, options, *parts.loss);
  const FitProblem problem(parts, *shard, input.encoder);
  const Choice choice = choose(problem, observer);
  if (!choice.kinds.empty()) {
    shard.reset();  // it has done its work
    return fit_kinds(input, rows, options, choice, observer);
  }
  FitResult result =
      fit_rows(problem, choice, {input.validation_X, input.validation_Y}, input.resume, observer);
  calibrate(input, rows, problem, options, observer, result);
  return result;
}

}  // namespace

double automatic_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const ThreadLimit limit(options.n_threads);
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  FitOptions automatic = options;
  automatic.regularization.reset();
  const PreparedData data = prepare_data(input, automatic, *loss);
  return rule_lambda(data, *loss) * data.lambda_unit();
}

FitResult fit(const FitInput& input, const FitOptions& options, Observer* observer) {
  const Stopwatch watch;
  options.validate();
  const ThreadLimit limit(options.n_threads);
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  check_input(input, options, *make_loss(options.loss, options.loss_parameters));
  const DistinctRows rows = distinct_rows(input, options);
  FitResult result = fit_distinct(input, rows, options, observer);
  result.alpha = rows.share_out(result.alpha, input.weights);
  result.report.seconds = watch.seconds();
  return result;
}

FitResult fit(const MatrixView& X, const MatrixView& Y, const FitOptions& options) {
  return fit(FitInput{.X = X, .Y = Y}, options);
}

}  // namespace bkernn
