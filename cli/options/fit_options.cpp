#include "cli/options/fit_options.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "bkernn/option_table.hpp"
#include "bkernn/penalty.hpp"
#include "cli/errors.hpp"
#include "cli/options/checks.hpp"
#include "cli/options/usage.hpp"

namespace bkernn::cli {

namespace {

void add_row_options(CLI::App& command, FitCommandOptions& options) {
  command.add_option("DATA", options.data, ".csv, .csv.gz, .npy, or - for standard input")
      ->required()
      ->option_text(" ");
  command
      .add_option("-t,--target", options.targets,
                  "column to predict: words are classes; repeat it for several numbers")
      ->required()
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command
      .add_option("--features", options.used,
                  "columns to predict from, comma-separated; default: all others")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("COLUMN,COLUMN");
  command.add_option("--ignore", options.ignored, "column to leave out; may be repeated")
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command
      .add_option("--categorical", options.categorical,
                  "columns of numbers to read as categories, comma-separated; words always are")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("COLUMN,COLUMN");
  command
      .add_option("--numeric", options.numeric,
                  "columns in which a word is an error, comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("COLUMN,COLUMN");
  command.add_flag("--drop-missing-target", options.drop_missing_target,
                   "leave out the rows whose target is missing");
  command.add_option("--weights", options.weights, "column that says how often each row counts")
      ->option_text("COLUMN");
  command
      .add_option("--class-weight", options.class_weight,
                  "how often the rows of a class count; balanced: all classes alike")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("balanced | CLASS=NUMBER,CLASS=NUMBER");
}

void add_data_options(CLI::App& command, FitCommandOptions& options) {
  add_row_options(command, options);
  command.add_option("-o,--output", options.output, "the model: .json, .ubj or .cbor")
      ->option_text("MODEL");
  command.add_flag("--exact", options.exact,
                   "keep every digit; the file is larger. By default predictions may move by "
                   "1e-4 of the target's spread");
  command
      .add_option("--validation", options.validation,
                  "rows to judge each iteration by: a file, or the share of the data to set aside")
      ->option_text("FILE | FRACTION");
  add_format_options(command, options.common);
}

// ---- The options of the table (bkernn/option_table.hpp).

std::string long_name(const Option& option) {
  std::string name = std::string("--") + option.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// "N [200]": what stands for the value, and the default, which is what `value` holds.
template <class Value>
std::string value_text(const Option& option, const Value& value) {
  std::ostringstream text;
  text << option.placeholder << " [";
  if constexpr (std::is_arithmetic_v<Value>) {
    if (value == 0 && *option.zero != '\0') return text.str() + option.zero + "]";
  }
  text << value << "]";
  return text.str();
}

template <class Number>
void add_number(CLI::App& command, const Option& option, const std::string& names, Number& value) {
  CLI::Option* const added = command.add_option(names, value, option.help)
                                 ->option_text(value_text(option, value))
                                 ->group(option.group);
  if (*option.zero != '\0')
    added->transform(CLI::Transformer(std::map<std::string, std::string>{{option.zero, "0"}}));
  // CLI11 would take −1 for the largest number there is.
  if constexpr (std::is_unsigned_v<Number>) added->check(within({}));
}

void add_choice(CLI::App& command, const Option& option, std::string& value,
                const std::vector<std::string>& choices, const std::string& help) {
  command.add_option(long_name(option), value, help + " (" + listed(choices) + ")")
      ->option_text(value_text(option, value))
      ->transform(one_of(choices))
      ->group(option.group);
}

void add_flag(CLI::App& command, const Option& option, bool& value) {
  const std::string name = long_name(option), off = ",!--no" + name.substr(1);
  command
      .add_flag(value ? name + off : name, value,
                option.help + std::string(value ? " (default)" : ""))
      ->group(option.group);
}

void add_by_type(CLI::App& command, const Option& option, FitOptions& fit) {
  visit_option(fit, option, [&](auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      add_choice(command, option, value, option.choices, option.help);
    } else if constexpr (std::is_same_v<Value, bool>) {
      add_flag(command, option, value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      add_number(command, option, long_name(option), value);
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
      command.add_option(long_name(option), value, option.help)
          ->delimiter(',')
          ->option_text(std::string(option.placeholder) + " []")
          ->group(option.group);
    }
  });
}

// ---- What is special to the tool.

// A number, or the rule that finds it, of which the tool knows one more.
void add_regularization(CLI::App& command, FitCommandOptions& options, const Option& option) {
  command
      .add_option(
          "--regularization", options.regularization,
          "strength, in the units of the target; auto: chosen by held-out rows; rule: that of the "
          "paper's experiments; theory: by the theorem; cv: by cross-validation")
      ->option_text("auto | rule | theory | cv | NUMBER")
      ->transform(one_of_or_number({"auto", "rule", "theory", "cv"}))
      ->group(option.group);
  CrossValidation& cross = options.cross;
  command.add_option("--folds", cross.folds, "folds of the cross-validation")
      ->option_text("K [" + std::to_string(cross.folds) + "]")
      ->check(within({.least = 2, .most = 1000}))
      ->group(option.group);
  command
      .add_option("--race", cross.race,
                  "penalties for cross-validation to choose from, comma-separated (" +
                      listed(penalty_names()) + ")")
      ->delimiter(',')
      ->transform(one_of(penalty_names()))
      ->option_text("NAME,NAME")
      ->group(option.group);
  command
      .add_flag("--one-standard-error", cross.one_standard_error,
                "cross-validation takes the largest strength within one standard error of the best")
      ->group(option.group);
}

// The target may decide.
void add_loss(CLI::App& command, FitOptions& fit, const Option& option) {
  fit.loss = "auto";
  std::vector<std::string> choices{"auto"};
  choices.insert(choices.end(), option.choices.begin(), option.choices.end());
  add_choice(command, option, fit.loss, choices,
             "auto: square; logistic or multinomial if the target holds words");
}

void add_table_options(CLI::App& command, FitCommandOptions& options) {
  for (const Option& option : option_table()) {
    const std::string name = option.name;
    if (name == "regularization") {
      add_regularization(command, options, option);
    } else if (name == "loss") {
      add_loss(command, options.fit, option);
    } else if (name == "n_particles") {
      add_number(command, option, "--particles,--n-particles", options.fit.n_particles);
    } else if (name == "n_threads") {
      add_number(command, option, "--threads,--n-threads", options.common.threads);
    } else if (name != "regularization_rule") {
      add_by_type(command, option, options.fit);  // none for a matrix: init
    }
  }
}

void add_checkpoint_options(CLI::App& command, FitCommandOptions& options) {
  command
      .add_option("--checkpoint", options.checkpoint,
                  "save the state of the fit here as it goes: .cbor, .ubj or .json")
      ->option_text("FILE")
      ->group(kSolutionGroup);
  command
      .add_option("--checkpoint-every", options.checkpoint_every,
                  "iterations, or every 30 seconds if that is sooner")
      ->option_text("N [" + std::to_string(options.checkpoint_every) + "]")
      ->check(within({.least = 1}))
      ->group(kSolutionGroup);
  command.add_flag("--resume", options.resume, "go on from the checkpoint, if there is one")
      ->group(kSolutionGroup);
}

}  // namespace

void add_fit_options(CLI::App& command, FitCommandOptions& options) {
  add_data_options(command, options);
  add_table_options(command, options);
  add_checkpoint_options(command, options);
  add_output_options(command, options.common);
}

void add_study_options(CLI::App& command, FitCommandOptions& options) {
  add_row_options(command, options);
  add_format_options(command, options.common);
  add_table_options(command, options);
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
  } else if (rule != "cv") {
    fit.regularization_rule = rule;
  }
  const CrossValidation& cross = options.cross;
  if (rule != "cv" && (!cross.race.empty() || cross.one_standard_error)) {
    throw UsageError((cross.race.empty() ? "--one-standard-error" : "--race") +
                     std::string(" is about cross-validation: it needs --regularization cv"));
  }
  if (!cross.race.empty() && fit.penalty != "auto") {
    throw UsageError("--race chooses the penalty: leave out --penalty " + fit.penalty);
  }
  if (!options.used.empty() && !options.ignored.empty())
    throw UsageError("--features and --ignore exclude each other");
  FitOptions checked = fit;
  if (checked.loss == "auto") checked.loss = default_loss();
  try {
    checked.validate();
  } catch (const InvalidArgument& error) {
    throw UsageError(by_option(error.what()));
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
