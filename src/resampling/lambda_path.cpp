#include "resampling/lambda_path.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/parallel.hpp"
#include "choice/choose.hpp"
#include "choice/critical_lambda.hpp"
#include "choice/lambda_law.hpp"
#include "rows/check_input.hpp"

namespace bkernn {
namespace {

constexpr double kSmallest = 25;  // λ_min of a path: what such rows are likely to want, by this

double largest_lambda(const FitInput& input, const DistinctRows& rows, const FitOptions& options) {
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const PreparedData data = prepare_for_lambda(input, rows, options, *loss);
  const double critical = critical_lambda(data, data.groups, options, *loss);
  return (critical > 0 ? critical : rule_lambda(data, *loss)) * data.lambda_unit();
}

double likely_regularization(const FitInput& input, const DistinctRows& rows,
                             const FitOptions& options) {
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const PreparedData data = prepare_for_lambda(input, rows, options, *loss);
  return likely_lambda(*loss, data, data.total_weight) * data.lambda_unit();
}

// The rows of an input that is checked here.
DistinctRows checked_rows(const FitInput& input, FitOptions options) {
  options.early_stopping = false;
  check_input(input, options, *make_loss(options.loss, options.loss_parameters));
  return distinct_rows(input, options);
}

}  // namespace

PreparedData prepare_for_lambda(const FitInput& input, const DistinctRows& rows, FitOptions options,
                                const Loss& loss) {
  options.regularization = 1.0;
  return prepare_data(input, rows, options, loss);
}

Vector regularization_path(const FitInput& input, const DistinctRows& rows,
                           const FitOptions& fit_options, const CrossValidateOptions& options) {
  if (!options.lambdas.empty()) {
    Vector path = Eigen::Map<const Vector>(options.lambdas.data(),
                                           static_cast<Index>(options.lambdas.size()));
    std::sort(path.begin(), path.end(), std::greater<>());
    return path;
  }
  const double largest = largest_lambda(input, rows, fit_options);
  double smallest = largest * options.ratio;
  if (options.ratio == 0) {
    smallest = std::min(likely_regularization(input, rows, fit_options) / kSmallest, largest / 16);
  }
  const double halvings = std::log2(largest / smallest);
  const Index points =
      options.n_lambdas > 0 ? options.n_lambdas : 1 + static_cast<Index>(std::ceil(halvings));
  Vector path(points);
  for (Index i = 0; i < points; ++i) {
    const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0;
    path(i) = largest * std::exp2(-share * halvings);
  }
  return path;
}

double largest_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const ThreadLimit limit(options.n_threads);
  return largest_lambda(input, checked_rows(input, options), options);
}

Vector regularization_path(const FitInput& input, const FitOptions& fit_options,
                           const CrossValidateOptions& options) {
  options.validate();
  fit_options.validate();
  const ThreadLimit limit(fit_options.n_threads);
  return regularization_path(input, checked_rows(input, fit_options), fit_options, options);
}

}  // namespace bkernn
