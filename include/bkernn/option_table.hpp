// The options of a fit as one table: what each is called, where it stands in FitOptions, which
// values it may have and what it is for. FitOptions::validate(), the command line, model files and
// checkpoints, the Python package, docs/model.schema.json and the page of all options read this
// table and keep no list of their own. An option is added by a member of FitOptions, a row of the
// table, and the code that uses it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bkernn/options.hpp"

namespace bkernn {

// The values that a number may have: an interval. Infinity and NaN are in none.
struct Range {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool most_excluded = false;

  bool contains(double value) const;

  // As a constraint: "must be at least 1", "must be positive and finite", "must lie in [0, 1)".
  std::string constraint(bool whole_numbers) const;
};

// Where the value of an option stands, and with it its type.
using OptionMember =
    std::variant<bool FitOptions::*, int FitOptions::*, Index FitOptions::*,
                 std::uint64_t FitOptions::*, double FitOptions::*, double LossParameters::*,
                 std::vector<double> LossParameters::*, std::optional<double> FitOptions::*,
                 std::string FitOptions::*, Matrix FitOptions::*>;

inline constexpr const char* kProblemGroup = "The problem";
inline constexpr const char* kSolutionGroup = "How it is solved";

struct Option {
  const char* name;  // in C++, files and Python; on the command line with dashes
  OptionMember member;
  const char* group;        // one of the two above
  const char* placeholder;  // stands for the value in help: N
  const char* help;
  Range range = {};                       // of a number
  std::vector<std::string> choices = {};  // of a text
  const char* zero = "";                  // of a number: the word for 0, if there is one
};

// In the order of model files.
const std::vector<Option>& option_table();

// Throws InvalidArgument, naming option, value and constraint, if the value is none that the table
// allows.
void check_option(const FitOptions& options, const Option& option);

// visit(value) with the member of `options`, const or not, that the option stands for.
template <class Options, class Visit>
void visit_option(Options& options, const Option& option, Visit&& visit) {
  const auto find = [&](auto member) {
    if constexpr (std::is_same_v<decltype(member), double LossParameters::*> ||
                  std::is_same_v<decltype(member), std::vector<double> LossParameters::*>) {
      visit(options.loss_parameters.*member);
    } else {
      visit(options.*member);
    }
  };
  std::visit(find, option.member);
}

// visit(option, value) for each option of the table.
template <class Options, class Visit>
void visit_options(Options& options, Visit&& visit) {
  for (const Option& option : option_table()) {
    visit_option(options, option, [&](auto& value) { visit(option, value); });
  }
}

}  // namespace bkernn
