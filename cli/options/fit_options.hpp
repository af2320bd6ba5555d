// The options of `bkernn fit` (and of `demo`), by the words that the library uses.
#pragma once

#include <string>
#include <vector>

#include "bkernn/options.hpp"
#include "cli/fitting/choose_regularization.hpp"
#include "cli/options/common_options.hpp"

namespace bkernn::cli {

struct FitCommandOptions {
  std::string data, output;
  std::vector<std::string> targets, used, ignored;
  std::string weights;
  std::vector<std::string> class_weight;  // "balanced", or "CLASS=NUMBER" of some classes
  std::vector<std::string> categorical, numeric;
  bool drop_missing_target = false;
  std::string regularization = "auto";  // auto | rule | theory | cv | NUMBER
  CrossValidation cross;                // for cv
  std::string validation;               // empty, a file or a fraction
  std::string checkpoint;
  int checkpoint_every = 10;
  bool resume = false;
  bool exact = false;
  FitOptions fit;
  CommonOptions common;
};

void add_fit_options(CLI::App& command, FitCommandOptions& options);

// Those of many fits whose models are not kept: rows, and the table.
void add_study_options(CLI::App& command, FitCommandOptions& options);

// Throws UsageError if the options contradict one another or themselves. The loss may still be
// "auto".
void check_fit_options(FitCommandOptions& options);

// The fraction, if `validation` is one.
bool parse_fraction(const std::string& text, double& fraction);

}  // namespace bkernn::cli
