#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "bkernn/io.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "console.hpp"

namespace bkernn::cli {
namespace {

struct Options {
  std::string model, output;
  bool quiet = false;
};

void convert_command(const Options& options) {
  save_model(load_model(options.model), options.output);
  if (!options.quiet) tell("wrote " + options.output);
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand(
      "convert", "Write a model in another encoding: the same document, every number exact");
  command.add_option("MODEL", options->model, ".json, .ubj or .cbor")->required()->option_text(" ");
  command.add_option("OTHER", options->output, ".json (text), .ubj or .cbor (binary, smaller)")
      ->required()
      ->option_text(" ");
  command.add_flag("-q,--quiet", options->quiet, "say nothing but errors");
  set_examples(command, "  bkernn convert model.json model.cbor");
  command.callback([options] { convert_command(*options); });
}

}  // namespace bkernn::cli
