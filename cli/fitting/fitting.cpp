#include "cli/fitting/fitting.hpp"

#include "bkernn/version.hpp"
#include "report/scores.hpp"

namespace bkernn::cli {

SavedModel describe_fit(const FitOptions& options, const tables::DataSet& train,
                        const tables::DataSet* validation, FitResult result) {
  SavedModel saved;
  saved.model = std::move(result.model);
  saved.model.feature_names = train.feature_names;
  saved.model.class_names = train.class_names;
  saved.target_names = train.target_names;
  saved.options = options;
  saved.regularization = result.regularization;
  saved.report = std::move(result.report);
  saved.data = fingerprint(train.X, train.Y);
  saved.library_version = version();
  const auto score = [&](const tables::DataSet& data) {
    return report::compute_scores(saved, data.Y, saved.model.predict(data.X, options.n_threads),
                                  data.weights_or_null());
  };
  saved.scores["train"] = score(train);
  if (validation != nullptr) saved.scores["validation"] = score(*validation);
  return saved;
}

}  // namespace bkernn::cli
