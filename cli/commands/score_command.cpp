#include <memory>

#include "bkernn/metrics.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/model_rows.hpp"
#include "report/scores.hpp"
#include "report/text.hpp"
#include "tables/table_reader.hpp"

namespace bkernn::cli {
namespace {

struct ScoreCommandOptions : ModelRowsOptions {
  std::string truth;
};

void score_command(const ScoreCommandOptions& options) {
  const ThreadLimit limit(options.common.threads);
  const SavedModel saved = load_model(options.model);
  const tables::DataSet data = read_model_rows(saved, options);
  const Matrix F = saved.model.predict(data.X, options.common.threads);
  std::map<std::string, double> scores =
      report::compute_scores(saved, data.Y, F, data.weights_or_null());
  if (!options.truth.empty()) {
    const Matrix P = tables::read_table(options.truth).values;
    const std::optional<double> score =
        feature_learning_score(saved.model.W, saved.model.selects_variables(), P);
    if (score) scores["feature_learning_score"] = *score;
  }
  if (options.common.json) {
    print_json(report::Json{{"rows", data.X.rows()}, {"scores", scores}});
    return;
  }
  std::vector<std::vector<std::string>> rows;
  rows.reserve(scores.size());
  for (const auto& [name, value] : scores) rows.push_back({name, report::short_number(value, 6)});
  print(report::count_of(data.X.rows(), "row") + " of " + options.data + "\n" +
        report::aligned(rows));
}

}  // namespace

void add_score_command(CLI::App& app) {
  auto options = std::make_shared<ScoreCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("score", "How well a model predicts data whose target is known");
  add_model_option(command, options->model);
  command
      .add_option("DATA", options->data, "with the variables and the target; - for standard input")
      ->required()
      ->option_text(" ");
  add_column_options(command, *options);
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
