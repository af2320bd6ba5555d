#include <memory>

#include "bkernn/export.hpp"
#include "bkernn/io.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/options/checks.hpp"
#include "cli/options/common_options.hpp"
#include "tables/table_sink.hpp"

namespace bkernn::cli {
namespace {

struct ConvertCommandOptions {
  std::string model, output;
  double compress = 0;
  bool exact = false;
  bool float32 = false;
  bool quiet = false;
};

void convert_command(const ConvertCommandOptions& options) {
  check_keeps(options.output, {options.model});
  if (options.float32 && !tables::has_extension(options.output, ".onnx"))
    throw UsageError("--float32 is for .onnx files");
  if (options.exact && options.compress > 0)
    throw UsageError("--exact and --compress exclude each other");
  if (options.exact && is_export(options.output))
    throw UsageError("--exact is for model files: .c and .onnx files have all digits");
  SavedModel saved = load_model(options.model);
  const auto knots = [&] {
    Index sum = 0;
    for (const RidgeFunction& h : saved.model.functions) sum += h.knots.size();
    return sum;
  };
  const Index before = knots();
  if (options.compress > 0) saved.model = saved.model.compress(options.compress);
  if (is_export(options.output)) {
    export_model(saved, options.output,
                 options.float32 ? OnnxNumbers::float32 : OnnxNumbers::float64);
  } else {
    save_model(saved, options.output, options.exact ? Numbers::exact : Numbers::compressed);
  }
  if (options.quiet) return;
  tell("wrote " + options.output +
       (options.compress > 0
            ? ", " + std::to_string(knots()) + " of " + std::to_string(before) + " knots"
            : ""));
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<ConvertCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("convert", "Write a model in another encoding, or as C or ONNX");
  add_model_option(command, options->model);
  command
      .add_option("OTHER", options->output,
                  ".json (text), .ubj or .cbor (binary, smaller): the same document; .c (C99 "
                  "source) or .onnx: predictions without bkernn")
      ->required()
      ->option_text(" ");
  command
      .add_option("--compress", options->compress,
                  "leave out knots, changing no prediction by more than this")
      ->option_text("TOLERANCE")
      ->check(within({}, false));
  command.add_flag("--exact", options->exact,
                   "keep every digit; the file is larger. By default predictions may move by "
                   "1e-4 of the target's spread");
  command.add_flag("--float32", options->float32, "single precision, for .onnx");
  command.add_flag("-q,--quiet", options->quiet, "say nothing but errors");
  set_examples(command,
               "  bkernn convert model.json model.cbor\n"
               "  bkernn convert model.json small.cbor --compress 0.001\n"
               "  bkernn convert model.json model.c && cc -O2 -c model.c\n"
               "      double predict(const double *x, double *out): no dependencies\n"
               "  bkernn convert model.json model.onnx --float32");
  command.callback([options] { convert_command(*options); });
}

}  // namespace bkernn::cli
