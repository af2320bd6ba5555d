#include "resampling/fold_ensemble.hpp"

#include <memory>

#include "bkernn/fit.hpp"
#include "calibration/calibrate.hpp"
#include "choice/lambda_law.hpp"
#include "training/fit_rows.hpp"
#include "training/mean_fit.hpp"

namespace bkernn {

FitResult fit_without_each_fold(const FitInput& input, const FoldedRows& rows,
                                const FitOptions& options, FitsWatch& watch) {
  const auto n_folds = static_cast<int>(rows.held_out.size());
  std::vector<FitResult> results;
  for (int fold = 0; fold < n_folds && !watch.stopped; ++fold) {
    const DistinctRows training = rows.without(fold);
    const Matrix X = input.X(training.rows, Eigen::all), Y = input.Y(training.rows, Eigen::all);
    FitInput part{.X = X, .Y = Y, .weights = training.weights_or_null(), .encoder = input.encoder};
    part.validation_X = input.validation_X;
    part.validation_Y = input.validation_Y;
    FitOptions own = options;
    own.intervals = "none";
    own.seed += kSeedStep * static_cast<std::uint64_t>(fold);
    *own.regularization *=
        lambda_of_part(training.total_weight() / rows.rows.total_weight(), options);
    results.push_back(fit(part, own, &watch));
    make_small(results.back());
  }
  FitResult mean = mean_of(results);
  mean.regularization = *options.regularization;
  mean.intercept = intercept_of(mean.model);
  if (options.intervals == "cross" && !watch.stopped) {
    auto calibration = std::make_shared<Calibration>(Calibration{"cross", {}});
    for (int fold = 0; fold < n_folds; ++fold) {
      calibration->parts.push_back(calibration_part(
          results[fold].model, input, rows.held_out[fold].rows, mean.model.n_classes() > 0));
    }
    mean.model.calibration = calibration;
  }
  return mean;
}

}  // namespace bkernn
