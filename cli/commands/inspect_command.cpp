#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/console.hpp"
#include "report/summary.hpp"

namespace bkernn::cli {
namespace {

struct Options {
  std::string model;
  Index variables = 20;
  bool json = false;
};

void inspect_command(const Options& options) {
  const SavedModel saved = load_model(options.model);
  if (options.json) return print(summary_json(saved));
  const Model& model = saved.model;
  std::string targets;
  for (const std::string& name : saved.target_names)
    targets += (targets.empty() ? "" : ", ") + one_line(name);
  std::string classes;
  for (const std::string& name : model.class_names)
    classes += (classes.empty() ? "" : ", ") + one_line(name);
  std::vector<std::vector<std::string>> rows = {
      {"file", options.model + " (bkernn " + saved.library_version + ")"},
      {"target", targets.empty() ? "(no name)" : targets}};
  if (!classes.empty()) rows.push_back({"classes", classes});
  rows.push_back({"problem", model.loss + " loss, " + model.kernel + " kernel, " + model.penalty +
                                 " penalty"});
  rows.push_back({"regularization", short_number(saved.regularization, 6)});
  rows.push_back({"particles", std::to_string(model.W.cols()) + " active of " +
                                   std::to_string(model.n_particles)});
  rows.push_back({"trained on", count_of(saved.data.rows, "row") + ", " +
                                    count_of(model.n_features(), "variable")});
  std::string text;
  for (const auto& row : rows)
    text += row[0] + std::string(16 - row[0].size(), ' ') + row[1] + "\n";
  print(text + "\n" + summary_text(saved, options.variables) + "\n" + saved.report.brief());
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("inspect", "What a model has learnt, and how it was fitted");
  command.add_option("MODEL", options->model, "made by `bkernn fit`")->required()->option_text(" ");
  command.add_option("--variables", options->variables, "how many to list")
      ->capture_default_str()
      ->option_text("N");
  command.add_flag("--json", options->json, "everything, as JSON on standard output");
  set_examples(command,
               "  bkernn inspect model.json\n"
               "  bkernn inspect model.json --json | jq .singular_values");
  command.callback([options] { inspect_command(*options); });
}

}  // namespace bkernn::cli
