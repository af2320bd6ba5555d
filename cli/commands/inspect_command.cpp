#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options/common_options.hpp"
#include "report/structure.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

struct InspectCommandOptions {
  std::string model;
  Index variables = 20;
  bool json = false;
};

void inspect_command(const InspectCommandOptions& options) {
  const SavedModel saved = load_model(options.model);
  if (options.json) return print_json(report::summary_json(saved));
  const Model& model = saved.model;
  const std::string targets = report::one_line(report::joined(saved.target_names));
  const std::string classes = report::one_line(report::joined(model.class_names));
  std::vector<std::vector<std::string>> rows = {
      {"file", options.model + " (bkernn " + saved.library_version + ")"},
      {"target", targets.empty() ? "(no name)" : targets}};
  if (!classes.empty()) rows.push_back({"classes", classes});
  rows.push_back({"problem", model.loss + " loss, " + model.kernel + " kernel, " + model.penalty +
                                 " penalty"});
  rows.push_back({"regularization", report::short_number(saved.regularization, 6)});
  rows.push_back({"particles", std::to_string(model.W.cols()) + " active of " +
                                   std::to_string(model.n_particles)});
  rows.push_back({"trained on",
                  report::count_of(saved.data.rows, "row") + ", " +
                      report::describe_columns(model.encoder, report::structure_of(model).names)});
  std::string text;
  for (const auto& row : rows)
    text += row[0] + std::string(16 - row[0].size(), ' ') + row[1] + "\n";
  print(text + "\n" + report::summary_text(saved, options.variables) + "\n" + saved.report.brief());
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto options = std::make_shared<InspectCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("inspect", "What a model has learned, and how it was fitted");
  add_model_option(command, options->model);
  command.add_option("--variables", options->variables, "how many to list")
      ->option_text("N [" + std::to_string(options->variables) + "]");
  command.add_flag("--json", options->json, "everything, as JSON on standard output");
  set_examples(command,
               "  bkernn inspect model.json\n"
               "  bkernn inspect model.json --json | jq .singular_values");
  command.callback([options] { inspect_command(*options); });
}

}  // namespace bkernn::cli
