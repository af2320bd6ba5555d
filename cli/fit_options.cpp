#include "cli/fit_options.hpp"

#include <CLI/Validators.hpp>
#include <charconv>

#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"
#include "cli/errors.hpp"

namespace bkernn::cli {
namespace {

bool parse_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> losses() {
  std::vector<std::string> names = loss_names();
  names.insert(names.begin(), "auto");
  return names;
}

void add_data_options(CLI::App& command, FitCommandOptions& options) {
  command.add_option("DATA", options.data, ".csv, .csv.gz, .npy, or - for standard input")
      ->required()
      ->option_text(" ");
  command
      .add_option("-t,--target", options.targets,
                  "column to predict; words are classes; may be repeated for several numbers")
      ->required()
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command.add_option("-o,--output", options.output, "the model: .json, .ubj or .cbor")
      ->option_text("MODEL");
  command.add_option("--ignore", options.ignored, "column to leave out; may be repeated")
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command.add_option("--weights", options.weights, "column that says how often each row counts")
      ->option_text("COLUMN");
  command
      .add_option(
          "--validation", options.validation,
          "rows to judge each iteration by: a file, or the fraction of the data to set aside")
      ->option_text("FILE | FRACTION");
  add_format_options(command, options.common);
}

void add_problem_options(CLI::App& command, FitCommandOptions& options) {
  FitOptions& fit = options.fit;
  fit.loss = "auto";
  const std::string group = "The problem";
  const auto add = [&](const char* name, auto& value, const char* help, const char* text) {
    return command.add_option(name, value, help)->option_text(text)->group(group);
  };
  add("--particles,--n-particles", fit.n_particles, "directions to start from", "M [50]");
  add("--penalty", fit.penalty, "what there should be few of", "NAME [concave_feature]")
      ->check(CLI::IsMember(penalty_names()));
  add("--regularization", options.regularization,
      "strength, in the units of the target; cv: by cross-validation; theory: by the theorem",
      "auto | theory | cv | NUMBER");
  add("--folds", options.folds, "of the cross-validation", "K [5]")->check(CLI::Range(2, 1000));
  add("--concavity", fit.concavity, "of the concave penalties; 0: convex", "S [1]");
  add("--penalty-weight", fit.penalty_weight, "of the penalty, relative to the regularization",
      "C [1]");
  add("--kernel", fit.kernel, "space of the learnt functions", "NAME [brownian]")
      ->check(CLI::IsMember(kernel_names()));
  add("--loss", fit.loss, "auto: square; logistic or multinomial if the target holds words",
      "NAME [auto]")
      ->check(CLI::IsMember(losses()));
  add("--quantile", fit.loss_parameters.quantile, "of the quantile loss", "TAU [0.5]");
  add("--quantile-width", fit.loss_parameters.quantile_width, "half-width of its smoothed kink",
      "EPS [0.01]");
  add("--huber-delta", fit.loss_parameters.huber_delta, "where the Huber loss turns linear",
      "DELTA [0.3]");
  command
      .add_flag("--standardize,!--no-standardize", fit.standardize,
                "variables to unit variance (default)")
      ->group(group);
}

void add_solver_options(CLI::App& command, FitCommandOptions& options) {
  FitOptions& fit = options.fit;
  const std::string group = "How it is solved";
  const auto add = [&](const char* name, auto& value, const char* help, const char* text) {
    return command.add_option(name, value, help)->option_text(text)->group(group);
  };
  add("--optimizer", fit.optimizer, "of the directions; paper: its Algorithm 1",
      "auto | spectral | paper")
      ->check(CLI::IsMember({"auto", "spectral", "paper"}));
  add("--max-iter", fit.max_iter, "iterations at most", "N [200]");
  add("--tol", fit.tol,
      "relative decrease over 10 iterations that counts as progress; 0: all iterations",
      "TOL [0.001]");
  command
      .add_flag("--early-stopping", fit.early_stopping,
                "keep the directions that are best on the validation rows")
      ->group(group);
  add("--n-iter-no-change", fit.n_iter_no_change,
      "iterations without improvement there before stopping", "N [20]");
  add("--seed", fit.seed, "of the starting directions, and of the rows set aside", "SEED [0]");
  add("--step-size", fit.step_size, "first step of the paper's algorithm", "GAMMA [500]");
  add("--max-halvings", fit.max_halvings, "of a step in one line search", "N [60]");
  add("--inner-solver", fit.inner_solver, "for fixed directions", "auto | cg | cholesky")
      ->check(CLI::IsMember({"auto", "cg", "cholesky"}));
  add("--schedule", fit.schedule, "whether to learn on a sample of the rows first",
      "auto | direct | coarse_to_fine")
      ->check(CLI::IsMember({"auto", "direct", "coarse_to_fine"}));
  add("--preconditioner", fit.preconditioner, "of conjugate gradients", "auto | never | always")
      ->check(CLI::IsMember({"auto", "never", "always"}));
  add("--inner-tol", fit.inner_tol, "relative residual of conjugate gradients; 0: chosen",
      "TOL [0]");
  add("--kernel-operator", fit.kernel_operator, "how kernel products are computed",
      "auto | sorted | knots | dense")
      ->check(CLI::IsMember({"auto", "sorted", "knots", "dense"}));
  add("--knots", fit.knots, "knots per function, for large data; 0: every row is one", "Q [0]");
  add("--threads,--n-threads", options.common.threads,
      "0: all cores. The result does not depend on it", "N [0]")
      ->check(CLI::NonNegativeNumber);
  add("--checkpoint", options.checkpoint,
      "save the state of the fit here as it goes: .cbor, .ubj or .json", "FILE");
  add("--checkpoint-every", options.checkpoint_every,
      "iterations, or every 30 seconds if that is sooner", "N [10]")
      ->check(CLI::PositiveNumber);
  command.add_flag("--resume", options.resume, "go on from the checkpoint, if there is one")
      ->group(group);
}

}  // namespace

void add_fit_options(CLI::App& command, FitCommandOptions& options) {
  add_data_options(command, options);
  add_problem_options(command, options);
  add_solver_options(command, options);
  add_output_options(command, options.common);
}

bool parse_fraction(const std::string& text, double& fraction) {
  return parse_number(text, fraction);
}

void check_fit_options(FitCommandOptions& options) {
  FitOptions& fit = options.fit;
  fit.n_threads = options.common.threads;
  const std::string& rule = options.regularization;
  double value = 0;
  if (parse_number(rule, value)) {
    fit.regularization = value;
  } else if (rule != "auto" && rule != "theory" && rule != "cv") {
    throw UsageError("--regularization " + rule + ": must be auto, theory, cv or a number");
  } else if (rule != "cv") {
    fit.regularization_rule = rule;
  }
  FitOptions checked = fit;
  if (checked.loss == "auto") checked.loss = default_loss();
  try {
    checked.validate();
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
  if (fit.early_stopping && options.validation.empty()) {
    throw UsageError(
        "--early-stopping needs rows to watch: --validation FILE or a fraction such as 0.2");
  }
  double fraction = 0;
  if (parse_fraction(options.validation, fraction) && !(fraction > 0 && fraction < 1)) {
    throw UsageError("--validation " + options.validation + ": a fraction lies between 0 and 1");
  }
  if (options.resume && options.checkpoint.empty()) {
    throw UsageError("--resume needs to know from where: --checkpoint FILE");
  }
}

}  // namespace bkernn::cli
