#include "cli/options/common_options.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/errors.hpp"
#include "cli/options/checks.hpp"

namespace bkernn::cli {

tables::CsvFormat CommonOptions::format() const {
  tables::CsvFormat format;
  if (separator == "tab" || separator == "\\t") {
    format.separator = '\t';
  } else if (!separator.empty()) {
    format.separator = separator.front();
  }
  if (header != "auto") format.header = header == "yes";
  return format;
}

void add_model_option(CLI::App& command, std::string& model) {
  command.add_option("MODEL", model, "made by `bkernn fit`: .json, .ubj or .cbor")
      ->required()
      ->option_text(" ");
}

void add_format_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option(
          "--separator", options.separator,
          "what separates the cells of a CSV file; default: the most frequent in its first line")
      ->transform(one_of({",", ";", "tab", "\\t", "\t"}))
      ->option_text(", | ; | tab");
  command
      .add_option("--header", options.header,
                  "whether the first line of a CSV file holds names; auto: if one of its cells is "
                  "not a number")
      ->transform(one_of({"auto", "yes", "no"}))
      ->option_text("auto | yes | no");
}

void add_thread_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--threads,--n-threads", options.threads,
                  "how many to use; 0: all cores. The result does not depend on it")
      ->check(within({}))
      ->option_text("N");
}

void add_output_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("-q,--quiet", options.quiet, "say nothing but errors");
  command.add_flag("--json", options.json, "the result as JSON on standard output");
}

void check_keeps(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code missing;
  if (output == "-" || !std::filesystem::is_regular_file(output, missing)) return;
  const auto same = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& input) {
    return std::filesystem::equivalent(output, input, missing);
  });
  if (same == inputs.end()) return;
  throw UsageError(output + ": the output is the same file as " + *same + ", which is read");
}

void set_examples(CLI::App& command, const std::string& examples) {
  command.footer("Examples:\n" + examples);
}

}  // namespace bkernn::cli
