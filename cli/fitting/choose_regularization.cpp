#include "cli/fitting/choose_regularization.hpp"

#include <memory>

#include "bkernn/cross_validate.hpp"
#include "bkernn/loss.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/fitting/fit_progress.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

using report::short_number;

class Watch : public CrossValidateObserver {
 public:
  Watch(std::string score, bool quiet) : score_(std::move(score)), quiet_(quiet) {}

  bool on_point(const CrossValidateProgress& progress) override {
    if (!quiet_) {
      tell("cross-validation " + std::to_string(progress.candidate + 1) + "." +
           std::to_string(progress.point + 1) + "  " + std::to_string(progress.rows) +
           " rows  regularization " + short_number(progress.regularization, 4) + "  " + score_ +
           " " + short_number(progress.mean, 5) + " ± " + short_number(progress.standard_error, 2));
    }
    return poll();
  }
  bool poll() override { return !InterruptGuard::interrupted(); }

 private:
  std::string score_;
  bool quiet_;
};

std::string scorer_for(const Loss& loss) {
  if (loss.classifies()) return "log_loss";
  if (loss.quantile()) return "pinball";
  if (!loss.quantiles().empty()) return "loss";
  return loss.targets() == Targets::counts ? "loss" : "r2";
}

// As `bkernn score` calls it.
std::string name_of(const std::string& scorer, const Loss& loss) {
  if (scorer == "pinball") return "pinball_loss";
  return scorer == "loss" ? loss.name() + "_loss" : scorer;
}

}  // namespace

CrossValidated cross_validated_regularization(const FitInput& input, const FitOptions& options,
                                              const CrossValidation& how, bool quiet) {
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  CrossValidateOptions cross;
  cross.n_folds = how.folds;
  cross.one_standard_error = how.one_standard_error;
  cross.seed = options.seed;
  cross.scorer = scorer_for(*loss);
  cross.refit = false;
  FitInput rows = input;
  rows.validation_X = rows.validation_Y = nullptr;
  FitOptions inside = options;
  inside.early_stopping = false;
  std::vector<FitOptions> candidates;
  for (const std::string& penalty : how.race) {
    inside.penalty = penalty;
    candidates.push_back(inside);
  }
  if (candidates.empty()) candidates.push_back(inside);
  const std::string score = name_of(cross.scorer, *loss);
  Watch watch(score, quiet);
  const CrossValidateResult result = cross_validate(rows, candidates, cross, &watch);
  if (result.stopped || !result.options.regularization) {
    throw Interrupted("interrupted during the cross-validation: there is no model yet");
  }
  const PathScores& path = result.paths[result.path];
  return {result.options.penalty,  result.options.ranks, *result.options.regularization, score,
          path.mean(result.point), result.fold_of_row};
}

}  // namespace bkernn::cli
