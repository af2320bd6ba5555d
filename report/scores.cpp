#include "report/scores.hpp"

#include <cmath>

#include "bkernn/loss.hpp"
#include "bkernn/metrics.hpp"

namespace bkernn::report {

std::map<std::string, double> compute_scores(const SavedModel& saved, const Matrix& Y,
                                             const Matrix& F, const Vector* weights) {
  const auto loss = make_loss(saved.model.loss, saved.options.loss_parameters);
  const Matrix response = loss->response(F);
  std::map<std::string, double> scores;
  if (loss->classifies()) {
    const Matrix probabilities = response.rightCols(Y.cols());
    scores["accuracy"] = accuracy(probabilities, Y, weights);
    scores["log_loss"] = log_loss(probabilities, Y, weights);
    scores["calibration_error"] = expected_calibration_error(probabilities, Y, 10, weights);
    return scores;
  }
  if (const std::vector<double> levels = loss->quantiles(); !levels.empty()) {
    double total = 0;
    for (Index k = 0; k < Y.cols(); ++k)
      total += pinball_loss(Y.col(k), response.col(k), levels[k], weights);
    scores["pinball_loss"] = total / static_cast<double>(Y.cols());
    scores["interval_coverage"] =
        interval_coverage(Y.leftCols(1), response.leftCols(1), response.rightCols(1), weights);
    return scores;
  }
  scores["r2"] = r2_score(Y, response, weights);
  scores["rmse"] = std::sqrt(mean_squared_error(Y, response, weights));
  if (loss->quantile()) {
    scores["pinball_loss"] = pinball_loss(Y, response, *loss->quantile(), weights);
    scores["coverage"] = quantile_coverage(Y, response, weights);
  }
  if (loss->targets() == Targets::counts) {
    const Vector s = weights != nullptr ? *weights : Vector(Vector::Ones(Y.rows()));
    scores[loss->name() + "_loss"] = loss->value(Y, F, s) / s.sum();
  }
  return scores;
}

std::string describe_score(const std::string& name) {
  if (name == "r2") return "R², the share of the variance explained";
  if (name == "rmse") return "root mean squared error, in the units of the target";
  if (name == "accuracy") return "share of rows whose most probable class is right";
  if (name == "log_loss") return "mean of −log probability of the class that came";
  if (name == "calibration_error") return "mean gap between confidence and accuracy";
  if (name == "pinball_loss") return "mean pinball loss of the predicted quantiles";
  if (name == "coverage") return "share of rows at or below the predicted quantile";
  if (name == "interval_coverage") return "share of rows between the outer quantiles";
  if (name == "poisson_loss") return "mean Poisson loss";
  return name;
}

}  // namespace bkernn::report
