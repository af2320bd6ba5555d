#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/console.hpp"
#include "report/report_page.hpp"
#include "tables/data_set.hpp"

namespace bkernn::cli {
namespace {

struct Options {
  std::string model, data, weights, output;
  std::vector<std::string> targets;
  CommonOptions common;
};

void report_command(const Options& options) {
  check_keeps(options.output, {options.model, options.data});
  const ThreadLimit limit(options.common.threads);
  const SavedModel saved = load_model(options.model);
  std::optional<DataSet> data;
  if (!options.data.empty()) {
    data = read_data_for(saved, options.data, options.common.format(), options.targets,
                         options.weights);
  }
  const std::string name = options.data == "-"
                               ? "standard input"
                               : std::filesystem::path(options.data).filename().string();
  write_report(saved, data ? &*data : nullptr, name, options.output);
  if (!options.common.quiet && options.output != "-") tell("wrote " + options.output);
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("report", "One HTML page about a model, to read and to pass on");
  command.add_option("MODEL", options->model, "made by `bkernn fit`")->required()->option_text(" ");
  command
      .add_option("DATA", options->data,
                  "rows to show it on, with their target: training or, better, new ones")
      ->option_text(" ");
  command
      .add_option("-o,--output", options->output, "the page; it needs no other file and no network")
      ->required()
      ->option_text("FILE.html");
  command
      .add_option("--target", options->targets,
                  "column of the target, if it is called otherwise than in training")
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command.add_option("--weights", options->weights, "column that says how often each row counts")
      ->option_text("COLUMN");
  add_format_options(command, options->common);
  add_thread_option(command, options->common);
  command.add_flag("-q,--quiet", options->common.quiet, "say nothing but errors");
  set_examples(command,
               "  bkernn report model.json -o report.html\n"
               "  bkernn report model.json test.csv -o report.html\n"
               "      with predictions against observations, and the data behind the curves");
  command.callback([options] { report_command(*options); });
}

}  // namespace bkernn::cli
