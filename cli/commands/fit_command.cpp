#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "bkernn/fit.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/row_split.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/fitting/choose_regularization.hpp"
#include "cli/fitting/fit_progress.hpp"
#include "cli/fitting/fitting.hpp"
#include "cli/fitting/training_rows.hpp"
#include "cli/options/fit_options.hpp"
#include "report/sentence.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "tables/data_set.hpp"

namespace bkernn::cli {
namespace {

using report::count_of;
using tables::DataSet;

struct Input {
  DataSet train;
  std::optional<DataSet> validation;
};

Input read_input(FitCommandOptions& options) {
  Input input;
  input.train = read_training_rows(options);
  double fraction = 0;
  if (parse_fraction(options.validation, fraction)) {
    if (input.train.X.rows() < 3) throw IoError(options.data + ": too few rows to set some aside");
    const RowSplit split = split_rows(input.train.X.rows(), fraction, options.fit.seed);
    input.validation = input.train.rows(split.part);
    input.train = input.train.rows(split.rest);
    const Encoder encoder = tables::learn_encoder(input.train, options.data);
    input.validation->encode(encoder, options.data);
    input.train.encode(encoder, options.data);
    return input;
  }
  input.train.encode(tables::learn_encoder(input.train, options.data), options.data);
  if (!options.validation.empty()) {
    SavedModel like;  // what the columns of the other file must be
    like.model.loss = options.fit.loss;
    like.model.quantiles = make_loss(options.fit.loss, options.fit.loss_parameters)->quantiles();
    like.model.feature_names = input.train.feature_names;
    like.model.class_names = input.train.class_names;
    like.model.encoder = input.train.encoder;
    like.model.center.setZero(input.train.X.cols());
    like.model.intercept.setZero(input.train.Y.cols());
    input.validation = tables::read_data_for(like, options.validation, options.common.format(),
                                             input.train.target_names);
  }
  return input;
}

// What can be seen to fail after the fit is tried before it.
void check_output(const FitCommandOptions& options) {
  const auto place = [](const std::string& path) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
  };
  if (!options.output.empty() && !options.checkpoint.empty() &&
      place(options.output) == place(options.checkpoint)) {
    throw UsageError(options.output + ": --output and --checkpoint must be two files");
  }
  if (!options.checkpoint.empty() && options.fit.n_models > 1) {
    throw UsageError("--checkpoint: a fit of several models cannot be resumed; take --n-models 1");
  }
  if (!options.checkpoint.empty() && options.fit.n_directions > 0) {
    throw UsageError("--checkpoint: a second fit cannot be resumed; take --n-directions auto");
  }
  for (const std::string& path : {options.output, options.checkpoint}) {
    if (path.empty()) continue;
    check_keeps(path, {options.data, options.validation});
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".json" && extension != ".ubj" && extension != ".cbor") {
      throw UsageError(path + ": the name must end in .json, .ubj or .cbor");
    }
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    if (!parent.empty() && !std::filesystem::is_directory(parent)) {
      throw IoError(path + ": there is no directory " + parent.string());
    }
  }
}

// The state to go on from, if there is one; the regularization that was chosen then is kept.
std::optional<Checkpoint> find_checkpoint(const FitCommandOptions& options) {
  if (!options.resume) return {};
  if (!std::filesystem::exists(options.checkpoint)) {
    if (!options.common.quiet)
      tell(options.checkpoint + " does not exist yet: starting from the beginning");
    return {};
  }
  return load_checkpoint(options.checkpoint);
}

void tell_result(const FitCommandOptions& options, const SavedModel& saved) {
  if (options.common.json) {
    report::Json result = report::summary_json(saved);
    result["model"] = options.output.empty() ? nullptr : report::Json(options.output);
    print_json(result);
  } else if (!options.common.quiet) {
    print(saved.report.brief() + "regularization " + report::short_number(saved.regularization, 6) +
          "\n\n" + report::summary_text(saved));
    if (!options.output.empty()) print("\nmodel: " + options.output + "\n");
    print("\n" + report::sentence(saved) + "\n");
  }
}

FitResult run_fit(const FitCommandOptions& options, const FitInput& input,
                  const DataFingerprint& data) {
  FitProgress progress(progress_style(options.common.quiet), options.fit);
  if (options.checkpoint.empty()) return fit(input, options.fit, &progress);
  CheckpointObserver saving(options.checkpoint, options.fit, data, &progress,
                            options.checkpoint_every);
  return fit(input, options.fit, &saving);
}

std::string stop_message(const FitCommandOptions& options, const SavedModel& saved) {
  return "interrupted after " +
         count_of(static_cast<long long>(saved.report.iterations.size()), "iteration") +
         (options.output.empty() ? ": no model was kept (name a file by -o)"
                                 : ": the best model so far is in " + options.output) +
         (options.checkpoint.empty() ? "" : "; --resume goes on from " + options.checkpoint);
}

void fit_command(FitCommandOptions& options) {
  check_fit_options(options);
  check_output(options);
  const ThreadLimit limit(options.common.threads);
  const std::optional<Checkpoint> checkpoint = find_checkpoint(options);
  Input input = read_input(options);
  const MatrixView X = input.train.X, Y = input.train.Y;
  FitInput fit_input{
      .X = X, .Y = Y, .weights = input.train.weights_or_null(), .encoder = &input.train.encoder};
  std::optional<MatrixView> validation_X, validation_Y;
  if (input.validation) {
    fit_input.validation_X = &validation_X.emplace(input.validation->X);
    fit_input.validation_Y = &validation_Y.emplace(input.validation->Y);
  }
  const InterruptGuard guard;
  const DataFingerprint data = fingerprint(X, Y);
  std::optional<CrossValidated> chosen;
  if (options.regularization == "cv" && checkpoint) {
    options.fit.penalty = checkpoint->options.penalty;
    options.fit.ranks = checkpoint->options.ranks;
    options.fit.regularization = checkpoint->options.regularization;
  } else if (options.regularization == "cv") {
    chosen =
        cross_validated_regularization(fit_input, options.fit, options.cross, options.common.quiet);
    options.fit.penalty = chosen->penalty;
    options.fit.ranks = chosen->ranks;
    options.fit.regularization = chosen->regularization;
    fit_input.interval_folds = &chosen->fold_of_row;
  }
  if (checkpoint) {
    check_resumable(*checkpoint, options.fit, data);
    fit_input.resume = &checkpoint->state;
    if (!options.common.quiet) {
      tell("going on after iteration " + std::to_string(checkpoint->state.iteration()) + " of " +
           options.checkpoint);
    }
  }
  if (!options.common.quiet) {
    tell(count_of(X.rows(), "row") + ", " +
         report::describe_columns(input.train.encoder, input.train.feature_names) + ", " +
         options.fit.loss + " loss" +
         (input.validation ? ", " + count_of(input.validation->X.rows(), "validation row") : ""));
  }

  FitResult result = run_fit(options, fit_input, data);
  if (!options.exact) result.model = result.model.for_file();
  const bool stopped = result.report.termination == Termination::stopped;
  for (DataSet* rows : {&input.train, input.validation ? &*input.validation : nullptr}) {
    if (rows != nullptr) rows->bend(result.model.encoder);
  }
  SavedModel saved = describe_fit(
      options.fit, input.train, input.validation ? &*input.validation : nullptr, std::move(result));
  if (chosen) saved.scores["cross_validation"][chosen->score] = chosen->mean;
  if (!options.output.empty()) save_model(saved, options.output, Numbers::exact);
  tell_result(options, saved);
  if (const std::string warning = saved.report.warning(); !warning.empty() && options.fit.tol > 0)
    tell("warning: " + warning);
  if (stopped) {
    throw Interrupted(stop_message(options, saved));
  }
}

}  // namespace

void add_fit_command(CLI::App& app) {
  auto options = std::make_shared<FitCommandOptions>();
  CLI::App& command = *app.add_subcommand("fit", "Fit a model to the rows of a file");
  command.fallthrough();
  add_fit_options(command, *options);
  set_examples(command,
               "  bkernn fit data.csv --target y -o model.json\n"
               "  bkernn fit iris.csv --target species --ignore id -o iris.cbor\n"
               "      the target holds words: classes\n"
               "  bkernn fit data.csv -t y --penalty concave_variable --regularization cv\n"
               "      few variables instead of few directions; strength by cross-validation\n"
               "  bkernn fit houses.csv -t price --categorical zip --drop-missing-target\n"
               "      words and gaps are taken as they are; zip is a number that names a place\n"
               "  bkernn fit data.csv --target y --validation 0.2 --early-stopping -o model.json\n"
               "  bkernn fit big.csv -t y --knots 64 --checkpoint run.cbor --resume -o m.cbor\n"
               "      can be stopped and called again: the result is the same, to the bit\n"
               "  bkernn fit data.csv --config fit.toml -o model.json\n"
               "      fit.toml:  target = \"y\"\n"
               "                 particles = 100\n"
               "Ctrl-C ends the fit with exit code 130; with -o, the best model so far is kept.");
  command.callback([options] { fit_command(*options); });
}

}  // namespace bkernn::cli
