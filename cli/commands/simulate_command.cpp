#include <memory>

#include "bkernn/simulate.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/options/checks.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/usage.hpp"
#include "cli/simulated_files.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

struct SimulateCommandOptions {
  SimulateOptions simulate;
  std::string output, directions;
  CommonOptions common;
};

Simulated simulated(const SimulateOptions& options) {
  try {
    return simulate(options);
  } catch (const InvalidArgument& error) {
    throw UsageError(by_option(error.what()));
  }
}

void simulate_command(const SimulateCommandOptions& options) {
  const Simulated data = simulated(options.simulate);
  const std::vector<std::string> files =
      with_usage_errors([&] { return write_simulated(data, options.output, options.directions); });
  if (options.common.json) {
    print_json(report::Json{{"files", files},
                            {"rows", data.train.X.rows()},
                            {"variables", data.train.X.cols()},
                            {"directions", data.P.cols()},
                            {"seed", options.simulate.seed}});
  } else if (!options.common.quiet && options.output != "-") {
    for (const std::string& file : files) print("wrote " + file + "\n");
  }
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto options = std::make_shared<SimulateCommandOptions>();
  CLI::App& command = *app.add_subcommand(
      "simulate", "Draw data from the settings of the paper, with known directions");
  SimulateOptions& simulate = options->simulate;
  const auto text = [](auto value) { return report::short_number(static_cast<double>(value)); };
  command
      .add_option("--kind", simulate.kind,
                  "what y depends on, and how (" + listed(simulation_kinds()) + ")")
      ->transform(one_of(simulation_kinds()))
      ->option_text("NAME [" + simulate.kind + "]");
  command.add_option("--n", simulate.n, "rows")->option_text("N [" + text(simulate.n) + "]");
  command.add_option("--n-test", simulate.n_test, "rows of a second file, for testing")
      ->option_text("N [" + text(simulate.n_test) + "]");
  command.add_option("--d", simulate.d, "variables")->option_text("D [" + text(simulate.d) + "]");
  command.add_option("--k", simulate.k, "directions that matter; 0: as in the paper")
      ->option_text("K [" + text(simulate.k) + "]");
  command.add_option("--noise", simulate.noise, "standard deviation of the noise")
      ->option_text("SIGMA [" + text(simulate.noise) + "]");
  command.add_option("--seed", simulate.seed, "seed of the random numbers")
      ->option_text("SEED [" + text(simulate.seed) + "]");
  command
      .add_option("-o,--output", options->output,
                  "the data: .csv, .csv.gz, .npy, or - for standard output")
      ->required()
      ->option_text("FILE");
  command
      .add_option("--directions", options->directions,
                  "the true directions, one column each; by default beside the data")
      ->option_text("FILE");
  add_output_options(command, options->common);
  set_examples(command,
               "  bkernn simulate --kind multi-index --n 1000 --d 20 --noise 0.2 -o data.csv\n"
               "      writes data.csv (x1 … x20, y) and data.directions.csv (20 × 3)\n"
               "  bkernn simulate --kind logistic --n 500 --n-test 500 -o flips.csv\n"
               "      writes flips.test.csv as well");
  command.callback([options] { simulate_command(*options); });
}

}  // namespace bkernn::cli
