#include <filesystem>
#include <memory>

#include "bkernn/fit.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/simulate.hpp"
#include "bkernn/threads.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/fitting/fit_progress.hpp"
#include "cli/fitting/fitting.hpp"
#include "cli/options/common_options.hpp"
#include "cli/simulated_files.hpp"
#include "report/report_page.hpp"
#include "report/structure.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

using report::duration;
using report::short_number;

struct DemoCommandOptions {
  std::string directory = "bkernn-demo";
  std::uint64_t seed = 1;
  CommonOptions common;
};

tables::DataSet data_set(const SimulatedSet& set) {
  tables::DataSet data;
  data.X = set.X;
  data.Y = set.Y;
  data.feature_names = tables::numbered_names("x", set.X.cols());
  data.target_names = {"y"};
  return data;
}

void demo_command(const DemoCommandOptions& options) {
  const ThreadLimit limit(options.common.threads);
  const SimulateOptions simulation{.kind = "multi_index",
                                   .n = 2000,
                                   .n_test = 2000,
                                   .d = 20,
                                   .noise = 0.2,
                                   .seed = options.seed};
  std::filesystem::create_directories(options.directory);
  const auto file = [&](const char* name) {
    return (std::filesystem::path(options.directory) / name).string();
  };

  print(
      "1. Simulate. 2000 rows of 20 variables, uniform on [−1, 1]. The target depends on 3 hidden\n"
      "   combinations of them, z = Pᵀx:  y = sin 3z₁ + z₂z₃ + |z₂| + noise (σ = 0.2).\n"
      "   Nothing tells the method which combinations, how many, or what functions.\n");
  const Simulated simulated = simulate(simulation);
  write_simulated(simulated, file("data.csv"));

  print(
      "\n2. Fit. f(x) = c + average of functions h_j(w_j·x); the directions w_j and the functions\n"
      "   are learned together, and the penalty wants the directions to span few dimensions. "
      "Which\n"
      "   penalty it is, and how strong, is chosen by held-out rows.\n");
  const tables::DataSet train = data_set(simulated.train), test = data_set(simulated.test);
  FitOptions fit_options;
  fit_options.seed = options.seed;
  fit_options.n_threads = options.common.threads;
  const InterruptGuard guard;
  const MatrixView X = train.X, Y = train.Y;
  const FitInput input{.X = X, .Y = Y};
  FitResult result;
  {
    FitProgress progress(progress_style(options.common.quiet), fit_options);
    result = fit(input, fit_options, &progress);
  }
  if (result.report.termination == Termination::stopped)
    throw Interrupted("interrupted: there is no model");
  result.model = result.model.for_file();
  SavedModel saved = describe_fit(fit_options, train, nullptr, std::move(result));
  save_model(saved, file("model.json"));

  const report::Structure structure = report::structure_of(saved.model);
  const double found = feature_learning_score(saved.model.W, false, simulated.P).value_or(0);
  const Matrix F = saved.model.predict(test.X);
  const double r2 = r2_score(test.Y, F);
  const double limit_r2 = r2_score(test.Y, simulated.test.signal);
  print("   " + std::to_string(saved.report.iterations.size()) + " iterations in " +
        duration(saved.report.seconds) + ", objective " +
        short_number(saved.report.initial_objective, 3) + " → " +
        short_number(saved.report.objective, 3) + ".\n");
  print("\n3. What was found.\n   " + report::describe(structure, saved.model.n_columns()) +
        "; the truth has 3.\n" + "   The space they span overlaps the true one by " +
        short_number(100 * found, 3) + "%" + " (feature learning score " + short_number(found, 3) +
        "; 1 is perfect).\n" + "   On 2000 new rows R² = " + short_number(r2, 3) +
        ". Knowing the true function would give " + short_number(limit_r2, 3) +
        ": the rest is noise.\n\n" + report::summary_text(saved, 5));
  report::write_report(saved, &test, "data.test.csv", file("report.html"));
  print("\n4. Look at it: open " + file("report.html") +
        " in a browser.\n   Do it yourself:\n"
        "     bkernn fit " +
        file("data.csv") + " --target y --seed " + std::to_string(options.seed) +
        " -o model.json\n"
        "     bkernn score model.json " +
        file("data.test.csv") + " --truth " + file("data.directions.csv") + "\n");
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto options = std::make_shared<DemoCommandOptions>();
  CLI::App& command =
      *app.add_subcommand("demo", "Simulate, fit, score and report, explained, in seconds");
  command.add_option("-o,--output", options->directory, "directory for the files")
      ->option_text("DIRECTORY [" + options->directory + "]");
  command.add_option("--seed", options->seed, "of the data and the fit")
      ->option_text("SEED [" + std::to_string(options->seed) + "]");
  add_thread_option(command, options->common);
  command.add_flag("-q,--quiet", options->common.quiet, "no progress line");
  set_examples(command, "  bkernn demo\n  bkernn demo --seed 7 -o /tmp/demo");
  command.callback([options] { demo_command(*options); });
}

}  // namespace bkernn::cli
