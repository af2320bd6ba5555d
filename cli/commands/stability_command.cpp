#include <CLI/App.hpp>
#include <memory>

#include "bkernn/stability.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/fitting/fit_progress.hpp"
#include "cli/fitting/training_rows.hpp"
#include "cli/options/fit_options.hpp"
#include "cli/options/usage.hpp"
#include "report/stability.hpp"
#include "report/text.hpp"
#include "tables/table_sink.hpp"

namespace bkernn::cli {
namespace {

struct StabilityCommandOptions {
  FitCommandOptions fit;
  StabilityOptions study;
};

class StabilityProgress final : public StabilityObserver {
 public:
  explicit StabilityProgress(bool quiet) : line_(progress_style(quiet)) {}

  bool on_progress(int finished, int fits) override {
    line_.show(std::to_string(finished) + " of " + std::to_string(fits) + " fits");
    return !InterruptGuard::interrupted();
  }

 private:
  ProgressLine line_;
};

void stability_command(StabilityCommandOptions& options) {
  FitCommandOptions& fit = options.fit;
  check_fit_options(fit);
  if (fit.regularization == "cv") {
    throw UsageError("--regularization cv: a stability study takes auto, rule, theory or a number");
  }
  if (fit.fit.intervals != "none" || fit.fit.early_stopping || fit.fit.n_models > 1) {
    throw UsageError("--intervals, --early-stopping and --n-models are about a single fit");
  }
  options.study.n_folds = fit.cross.folds;
  try {
    options.study.validate();
  } catch (const InvalidArgument& error) {
    throw UsageError(by_option(error.what()));
  }
  check_keeps(fit.output, {fit.data});
  options.study.seed = fit.fit.seed;
  const ThreadLimit limit(fit.common.threads);
  tables::DataSet data = read_training_rows(fit);
  data.encode(tables::learn_encoder(data, fit.data), fit.data);
  const MatrixView X = data.X, Y = data.Y;
  const InterruptGuard guard;
  StabilityResult result;
  {
    StabilityProgress progress(fit.common.quiet);
    result =
        stability({.X = X, .Y = Y, .weights = data.weights_or_null(), .encoder = &data.encoder},
                  fit.fit, options.study, &progress);
  }
  if (result.stopped) throw Interrupted("interrupted: there is no result");
  const report::Json json = report::stability_json(result, data.feature_names);
  if (!fit.output.empty()) {
    const std::string text = json.dump(1) + "\n";
    const auto sink = tables::open_byte_sink(fit.output);
    sink->write(text.data(), text.size());
    sink->commit();
  }
  if (fit.common.json) {
    print_json(json);
  } else if (!fit.common.quiet) {
    print(report::stability_text(result, data.feature_names));
    if (!fit.output.empty()) print("\nstability: " + fit.output + "\n");
  }
}

}  // namespace

void add_stability_command(CLI::App& app) {
  auto options = std::make_shared<StabilityCommandOptions>();
  CLI::App& command = *app.add_subcommand(
      "stability", "How sure directions and variables are, by fits of half of the rows");
  command.fallthrough();
  StabilityOptions& study = options->study;
  command.add_option("-o,--output", options->fit.output, "the result, for `bkernn report`")
      ->option_text("FILE.json");
  const std::string group = "The study";
  command
      .add_option("--pairs", study.n_pairs, "pairs of complementary halves; every half is fitted")
      ->option_text("N [" + std::to_string(study.n_pairs) + "]")
      ->group(group);
  command
      .add_option("--threshold", study.threshold, "share of the halves that must select a variable")
      ->option_text("TAU [" + report::short_number(study.threshold) + "]")
      ->group(group);
  command
      .add_option("--refits", study.n_refits,
                  "permuted tables that are fitted again to test each further direction, 19 at "
                  "least; 0: the test flips signs and fits nothing")
      ->option_text("N [" + std::to_string(study.n_refits) + "]")
      ->group(group);
  command.add_option("--coverage", study.coverage, "coverage of the intervals over the halves")
      ->option_text("P [" + report::short_number(study.coverage) + "]")
      ->group(group);
  add_study_options(command, options->fit);
  set_examples(command,
               "  bkernn stability data.csv --target y\n"
               "  bkernn stability data.csv --target y --pairs 50 -o stability.json\n"
               "  bkernn report model.json --stability stability.json -o report.html\n"
               "      with a panel that shows it");
  command.callback([options] { stability_command(*options); });
}

}  // namespace bkernn::cli
