#include <chrono>
#include <memory>

#include "bkernn/loss.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/options/checks.hpp"
#include "cli/options/common_options.hpp"
#include "report/text.hpp"
#include "tables/data_set.hpp"
#include "tables/table_reader.hpp"
#include "tables/table_sink.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::cli {
namespace {

struct PredictCommandOptions {
  std::string model, data, output = "-";
  bool raw = false;
  double coverage = 0;  // of intervals or sets; 0: none
  CommonOptions common;
};

// Turns f(x) into the columns of the output.
class Predictions {
 public:
  Predictions(const SavedModel& saved, const PredictCommandOptions& options)
      : loss_(make_loss(saved.model.loss, saved.options.loss_parameters)),
        raw_(options.raw),
        coverage_(options.coverage),
        threads_(options.common.threads),
        words_(!raw_ && loss_->classifies() && !tables::has_extension(options.output, ".npy")) {
    const Model& model = saved.model;
    const bool classes = loss_->classifies();
    const Index count = !raw_ && classes ? model.n_classes() : model.n_outputs();
    for (Index k = 0; k < std::max<Index>(count, 2); ++k) {
      class_names_.push_back(model.class_names.empty() ? std::to_string(k) : model.class_names[k]);
    }
    if (words_) names_.push_back("prediction");
    for (Index k = 0; k < count; ++k) {
      if (raw_ && count == 1) {
        names_.push_back("f");
      } else if (classes) {
        names_.push_back((raw_ ? "f_" : "probability_") + class_names_[k]);
      } else if (count == 1) {
        names_.push_back("prediction");
      } else {
        names_.push_back("prediction_" + output_name(saved, k));
      }
    }
    if (coverage_ > 0) add_interval_names(saved);
  }

  const std::vector<std::string>& names() const { return names_; }

  void write(const Model& model, const Matrix& X, tables::TableWriter& writer) const {
    const Matrix response = raw_ ? model.predict(X, threads_) : model.predict_response(X, threads_);
    const Matrix expected = coverage_ > 0 ? intervals(model, X) : Matrix(X.rows(), 0);
    if (!words_) {
      Matrix values(X.rows(), response.cols() + expected.cols());
      values << response, expected;
      return writer.write(values);
    }
    Matrix values(X.rows(), 1 + response.cols() + expected.cols());
    values << Vector::Zero(X.rows()), response, expected;
    tables::Labels labels;
    for (Index i = 0; i < X.rows(); ++i) {
      Index best = 0;
      response.row(i).maxCoeff(&best);
      labels[0].push_back(class_names_[best]);
    }
    writer.write(values, labels);
  }

 private:
  static std::string output_name(const SavedModel& saved, Index k) {
    if (!saved.model.quantiles.empty()) return report::short_number(saved.model.quantiles[k], 6);
    return saved.target_names.empty() ? std::to_string(k + 1) : saved.target_names[k];
  }

  void add_interval_names(const SavedModel& saved) {
    const Index q = saved.model.n_outputs();
    if (loss_->classifies()) {
      for (const std::string& name : class_names_) names_.push_back("in_set_" + name);
      return;
    }
    for (const char* end : {"lower", "upper"}) {
      for (Index k = 0; k < q; ++k)
        names_.push_back(q == 1 ? end : std::string(end) + "_" + output_name(saved, k));
    }
  }

  Matrix intervals(const Model& model, const Matrix& X) const {
    if (loss_->classifies()) return model.predict_set(X, coverage_, threads_);
    const Intervals found = model.predict_interval(X, coverage_, threads_);
    Matrix both(X.rows(), 2 * found.lower.cols());
    both << found.lower, found.upper;
    return both;
  }

  std::unique_ptr<Loss> loss_;
  bool raw_;
  double coverage_;
  int threads_;
  bool words_;
  std::vector<std::string> class_names_, names_;
};

void predict_command(const PredictCommandOptions& options) {
  if (options.common.json && options.output == "-") {
    throw UsageError("--json and predictions both go to standard output: name a file by -o");
  }
  check_keeps(options.output, {options.model, options.data});
  const auto start = std::chrono::steady_clock::now();
  const ThreadLimit limit(options.common.threads);
  const SavedModel saved = load_model(options.model);
  tables::TableReader reader(options.data, options.common.format());
  reader.select(tables::locate_columns(reader, options.data, saved.model, {}),
                tables::cells_of(saved.model));
  if (options.coverage > 0 && saved.model.calibration == nullptr) {
    throw UsageError("--interval: " + options.model +
                     " has no calibration; fit it with --intervals cross, quantile or fast");
  }
  const Predictions predictions(saved, options);
  tables::TableWriter writer(options.output, predictions.names());
  Index rows = 0;
  for (tables::Table block; reader.next(block);) {
    predictions.write(saved.model, tables::encode_rows(block, saved.model, options.data), writer);
    rows += block.values.rows();
  }
  writer.commit();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.common.json) {
    print_json(report::Json{{"rows", rows},
                            {"columns", predictions.names()},
                            {"output", options.output},
                            {"seconds", seconds}});
  } else if (!options.common.quiet && options.output != "-") {
    tell("predicted " + report::count_of(rows, "row") + " in " + report::duration(seconds) + ": " +
         options.output);
  }
}

}  // namespace

void add_predict_command(CLI::App& app) {
  auto options = std::make_shared<PredictCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("predict", "Predict the rows of a file, even one larger than memory");
  add_model_option(command, options->model);
  command
      .add_option("DATA", options->data,
                  ".csv, .csv.gz, .npy, or - for standard input; columns are found by name")
      ->required()
      ->option_text(" ");
  command
      .add_option("-o,--output", options->output,
                  "the predictions: .csv, .csv.gz, .npy, or - for standard output")
      ->option_text("FILE [-]");
  command.add_flag("--raw", options->raw, "f(x) itself, not probabilities or mean counts");
  command
      .add_option("--interval", options->coverage,
                  "also columns lower and upper, between which y lies with this probability, or "
                  "for classes a set of them; needs a model that was fitted with --intervals")
      ->option_text("COVERAGE")
      ->check(within({.most = 1, .least_excluded = true, .most_excluded = true}, false));
  add_format_options(command, options->common);
  add_thread_option(command, options->common);
  add_output_options(command, options->common);
  set_examples(command,
               "  bkernn predict model.json new.csv -o predictions.csv\n"
               "      one column `prediction`; for classes also the probability of each\n"
               "  bkernn predict model.json new.csv --interval 0.9\n"
               "      columns prediction, lower and upper (fit --intervals cross made the model)\n"
               "  zcat huge.csv.gz | bkernn predict model.cbor - | head\n"
               "      rows are read, predicted and written in blocks: memory stays bounded");
  command.callback([options] { predict_command(*options); });
}

}  // namespace bkernn::cli
