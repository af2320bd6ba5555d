#include "resampling/scorer.hpp"

#include <memory>

#include "base/names.hpp"
#include "bkernn/cross_validate.hpp"
#include "bkernn/error.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/metrics.hpp"

namespace bkernn {

const std::vector<std::string>& scorer_names() {
  static const std::vector<std::string> names{"loss",    "r2",       "mse",
                                              "pinball", "accuracy", "log_loss"};
  return names;
}

Scorer make_scorer(const std::string& name, const FitOptions& options,
                   const RowVector& target_scale) {
  require_name("scorer", name, scorer_names());
  const std::shared_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const bool for_classes = name == "accuracy" || name == "log_loss";
  require(name == "loss" || loss->classifies() == for_classes, "scorer", name,
          "does not suit the " + options.loss + " loss");
  const auto response = [loss](const Matrix& F) -> Matrix {
    return loss->response(F).rightCols(F.cols());
  };
  if (name == "loss") {
    return {[loss, target_scale](const Matrix& Y, const Matrix& F, const Vector* weights) {
              const Vector s = weights == nullptr ? Vector::Ones(Y.rows()) : *weights;
              const RowVector factor = target_scale.cwiseInverse();
              return loss->value(Y * factor.asDiagonal(), F * factor.asDiagonal(), s) / s.sum();
            },
            false};
  }
  if (name == "pinball") {
    const double tau = loss->quantile().value_or(0.5);
    return {[tau](const Matrix& Y, const Matrix& F, const Vector* w) {
              return pinball_loss(Y, F, tau, w);
            },
            false};
  }
  if (name == "r2") {
    return {[response](const Matrix& Y, const Matrix& F, const Vector* w) {
              return r2_score(Y, response(F), w);
            },
            true};
  }
  if (name == "mse") {
    return {[response](const Matrix& Y, const Matrix& F, const Vector* w) {
              return mean_squared_error(Y, response(F), w);
            },
            false};
  }
  if (name == "accuracy") {
    return {[response](const Matrix& Y, const Matrix& F, const Vector* w) {
              return accuracy(response(F), Y, w);
            },
            true};
  }
  return {[response](const Matrix& Y, const Matrix& F, const Vector* w) {
            return log_loss(response(F), Y, w);
          },
          false};
}

}  // namespace bkernn
