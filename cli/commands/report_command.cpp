#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "bkernn/error.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/model_rows.hpp"
#include "report/report_page.hpp"
#include "report/stability.hpp"

namespace bkernn::cli {
namespace {

struct ReportCommandOptions : ModelRowsOptions {
  std::string output, stability;
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void report_command(const ReportCommandOptions& options) {
  check_keeps(options.output, {options.model, options.data, options.stability});
  const ThreadLimit limit(options.common.threads);
  const SavedModel saved = load_model(options.model);
  std::optional<tables::DataSet> data;
  if (!options.data.empty()) data = read_model_rows(saved, options);
  const std::string name = options.data == "-"
                               ? "standard input"
                               : std::filesystem::path(options.data).filename().string();
  report::Json stability;
  if (!options.stability.empty()) {
    stability =
        report::read_stability(text_of_file(options.stability), options.stability, saved.model);
  }
  report::write_report(saved, data ? &*data : nullptr, name, options.output, stability);
  if (!options.common.quiet && options.output != "-") tell("wrote " + options.output);
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("report", "One HTML page about a model, to read and to pass on");
  add_model_option(command, options->model);
  command
      .add_option("DATA", options->data,
                  "rows to show it on, with their target: training or, better, new ones")
      ->option_text(" ");
  command
      .add_option("-o,--output", options->output, "the page; it needs no other file and no network")
      ->required()
      ->option_text("FILE.html");
  command
      .add_option("--stability", options->stability,
                  "what `bkernn stability -o` wrote: how sure directions and variables are")
      ->option_text("FILE.json");
  add_column_options(command, *options);
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
