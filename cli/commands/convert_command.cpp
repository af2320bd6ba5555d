#include <memory>

#include "bkernn/io.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/console.hpp"

namespace bkernn::cli {
namespace {

struct ConvertCommandOptions {
  std::string model, output;
  double compress = 0;
  bool quiet = false;
};

void convert_command(const ConvertCommandOptions& options) {
  check_keeps(options.output, {options.model});
  SavedModel saved = load_model(options.model);
  const auto knots = [&] {
    Index sum = 0;
    for (const RidgeFunction& h : saved.model.functions) sum += h.knots.size();
    return sum;
  };
  const Index before = knots();
  if (options.compress > 0) saved.model = saved.model.compress(options.compress);
  save_model(saved, options.output);
  if (options.quiet) return;
  tell("wrote " + options.output +
       (options.compress > 0
            ? ", " + std::to_string(knots()) + " of " + std::to_string(before) + " knots"
            : ""));
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<ConvertCommandOptions>();
  CLI::App& command = *app.add_subcommand(
      "convert", "Write a model in another encoding: the same document, every number exact");
  add_model_option(command, options->model);
  command.add_option("OTHER", options->output, ".json (text), .ubj or .cbor (binary, smaller)")
      ->required()
      ->option_text(" ");
  command
      .add_option("--compress", options->compress,
                  "leave out knots, changing no prediction by more than this")
      ->option_text("TOLERANCE")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("-q,--quiet", options->quiet, "say nothing but errors");
  set_examples(command,
               "  bkernn convert model.json model.cbor\n"
               "  bkernn convert model.json small.cbor --compress 0.001");
  command.callback([options] { convert_command(*options); });
}

}  // namespace bkernn::cli
