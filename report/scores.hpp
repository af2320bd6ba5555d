// How good predictions are, by the scores that suit the loss of the model.
#pragma once

#include <map>
#include <string>

#include "bkernn/io.hpp"
#include "bkernn/types.hpp"

namespace bkernn::report {

// Regression: r2, rmse, and for the quantile loss pinball_loss and coverage. Counts: r2, rmse,
// poisson_loss. Classes: accuracy, log_loss, calibration_error. F is what Model::predict gives, Y
// the targets as the loss wants them.
std::map<std::string, double> compute_scores(const SavedModel& saved, const Matrix& Y,
                                             const Matrix& F, const Vector* weights = nullptr);

// What a score is, in words.
std::string describe_score(const std::string& name);

}  // namespace bkernn::report
