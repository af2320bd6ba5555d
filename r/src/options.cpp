// The table of options, and values of them.
#include "options.hpp"

#include <optional>
#include <sstream>
#include <type_traits>

#include "bkernn/error.hpp"
#include "bkernn/option_table.hpp"
#include "entries.hpp"

namespace bkernn::r {
namespace {

template <class Value>
const char* kind_of() {
  return std::is_same_v<Value, bool>                  ? "flag"
         : std::is_same_v<Value, std::string>         ? "text"
         : std::is_same_v<Value, Matrix>              ? "matrix"
         : std::is_integral_v<Value>                  ? "integer"
         : std::is_same_v<Value, std::vector<double>> ? "numbers"
                                                      : "number";
}

template <class Value>
std::string text_of(const Option& option, const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "TRUE" : "FALSE";
  } else if constexpr (std::is_arithmetic_v<Value>) {
    if (value == 0 && *option.zero != '\0') return option.zero;
    std::ostringstream text;
    text << value;
    return text.str();
  } else {
    return "";
  }
}

template <class Value>
void set(Value& to, SEXP from) {
  if constexpr (std::is_same_v<Value, bool>) {
    to = Rf_asLogical(from) == 1;
  } else if constexpr (std::is_same_v<Value, std::string>) {
    to = text(from);
  } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
    to = numbers(from);
  } else if constexpr (std::is_same_v<Value, Matrix>) {
    to = matrix(from);
  } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
    to = number(from);
  } else {
    to = static_cast<Value>(number(from));
  }
}

}  // namespace

FitOptions options_of(SEXP list) {
  FitOptions options;
  visit_options(options, [&](const Option& option, auto& value) {
    const SEXP given = member(list, option.name);
    if (!is_null(given)) set(value, given);
  });
  options.validate();
  return options;
}

SEXP option_columns() {
  std::vector<std::string> names, kinds, defaults, choices, zeros, groups, helps;
  const FitOptions usual;
  visit_options(usual, [&](const Option& option, const auto& value) {
    names.emplace_back(option.name);
    kinds.emplace_back(kind_of<std::decay_t<decltype(value)>>());
    defaults.push_back(text_of(option, value));
    std::string listed;
    for (const std::string& one : option.choices) listed += (listed.empty() ? "" : " | ") + one;
    choices.push_back(listed);
    zeros.emplace_back(option.zero);
    groups.emplace_back(option.group);
    helps.emplace_back(option.help);
  });
  List columns(7);
  columns.add("name", names);
  columns.add("kind", kinds);
  columns.add("default", defaults);
  columns.add("choices", choices);
  columns.add("zero", zeros);
  columns.add("group", groups);
  columns.add("help", helps);
  return columns.get();
}

}  // namespace bkernn::r

extern "C" SEXP bkernn_options() {
  return bkernn::r::guarded(bkernn::r::option_columns);
}
