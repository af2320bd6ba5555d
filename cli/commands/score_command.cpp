#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "base/parallel.hpp"
#include "bkernn/metrics.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/console.hpp"
#include "report/scores.hpp"
#include "tables/data_set.hpp"
#include "tables/table_reader.hpp"

namespace bkernn::cli {
namespace {

struct Options {
  std::string model, data, weights, truth;
  std::vector<std::string> targets;
  CommonOptions common;
};

void score_command(const Options& options) {
  const ThreadLimit limit(options.common.threads);
  const SavedModel saved = load_model(options.model);
  const DataSet data =
      read_data_for(saved, options.data, options.common.format(), options.targets, options.weights);
  const Matrix F = saved.model.predict(data.X, options.common.threads);
  std::map<std::string, double> scores = compute_scores(saved, data.Y, F, data.weights_or_null());
  if (!options.truth.empty()) {
    const Matrix P = read_table(options.truth).values;
    const std::optional<double> score =
        feature_learning_score(saved.model.W, saved.model.selects_variables(), P);
    if (score) scores["feature_learning_score"] = *score;
  }
  if (options.common.json) {
    print(Json{{"rows", data.X.rows()}, {"scores", scores}});
    return;
  }
  std::vector<std::vector<std::string>> rows;
  rows.reserve(scores.size());
  for (const auto& [name, value] : scores) rows.push_back({name, short_number(value, 6)});
  print(count_of(data.X.rows(), "row") + " of " + options.data + "\n" + aligned(rows));
}

}  // namespace

void add_score_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("score", "How well a model predicts data whose target is known");
  command.add_option("MODEL", options->model, "made by `bkernn fit`")->required()->option_text(" ");
  command
      .add_option("DATA", options->data, "with the variables and the target; - for standard input")
      ->required()
      ->option_text(" ");
  command
      .add_option("--target", options->targets,
                  "column of the target, if it is called otherwise than in training")
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command.add_option("--weights", options->weights, "column that says how often each row counts")
      ->option_text("COLUMN");
  command
      .add_option(
          "--truth", options->truth,
          "true directions (a file from `bkernn simulate`): how well they were found, 0 to 1")
      ->option_text("FILE");
  add_format_options(command, options->common);
  add_thread_option(command, options->common);
  add_output_options(command, options->common);
  set_examples(command,
               "  bkernn score model.json test.csv\n"
               "  bkernn score model.json data.test.csv --truth data.directions.csv --json");
  command.callback([options] { score_command(*options); });
}

}  // namespace bkernn::cli
