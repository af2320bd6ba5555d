#include "resampling/scorer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/names.hpp"
#include "bkernn/cross_validate.hpp"
#include "bkernn/error.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/metrics.hpp"

namespace bkernn {

namespace {

// A score of responses P, of classes or of numbers.
struct Metric {
  std::string name;
  bool of_classes, higher_is_better;
  double (*value)(const Matrix& Y, const Matrix& P, const Vector* weights);
};

const std::vector<Metric>& metrics() {
  using W = const Vector*;
  static const std::vector<Metric> list{
      {"r2", false, true, [](const Matrix& Y, const Matrix& P, W w) { return r2_score(Y, P, w); }},
      {"mse", false, false,
       [](const Matrix& Y, const Matrix& P, W w) { return mean_squared_error(Y, P, w); }},
      {"rmse", false, false,
       [](const Matrix& Y, const Matrix& P, W w) {
         return std::sqrt(mean_squared_error(Y, P, w));
       }},
      {"mae", false, false,
       [](const Matrix& Y, const Matrix& P, W w) { return 2 * pinball_loss(Y, P, 0.5, w); }},
      {"accuracy", true, true,
       [](const Matrix& Y, const Matrix& P, W w) { return accuracy(P, Y, w); }},
      {"log_loss", true, false,
       [](const Matrix& Y, const Matrix& P, W w) { return log_loss(P, Y, w); }},
  };
  return list;
}

}  // namespace

const std::vector<std::string>& scorer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found{"loss", "pinball"};
    for (const Metric& metric : metrics()) found.push_back(metric.name);
    return found;
  }();
  return names;
}

Scorer make_scorer(const std::string& name, const FitOptions& options,
                   const RowVector& target_scale) {
  require_name("scorer", name, scorer_names());
  const std::shared_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  if (name == "loss") {
    return {[loss, target_scale](const Matrix& Y, const Matrix& F, const Vector* weights) {
              const Vector s = weights == nullptr ? Vector::Ones(Y.rows()) : *weights;
              const RowVector factor = target_scale.cwiseInverse();
              return loss->value(Y * factor.asDiagonal(), F * factor.asDiagonal(), s) / s.sum();
            },
            false};
  }
  const auto metric = std::find_if(metrics().begin(), metrics().end(),
                                   [&](const Metric& one) { return one.name == name; });
  const bool for_classes = metric != metrics().end() && metric->of_classes;
  require(loss->classifies() == for_classes, "scorer", name,
          "does not suit the " + options.loss + " loss");
  if (name == "pinball") {
    const double tau = loss->quantile().value_or(0.5);
    return {[tau](const Matrix& Y, const Matrix& F, const Vector* w) {
              return pinball_loss(Y, F, tau, w);
            },
            false};
  }
  return {[loss, value = metric->value](const Matrix& Y, const Matrix& F, const Vector* w) {
            return value(Y, loss->response(F).rightCols(F.cols()), w);
          },
          metric->higher_is_better};
}

}  // namespace bkernn
