#include "cli/options/usage.hpp"

#include <CLI/Error.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "tables/table.hpp"

namespace bkernn::cli {
namespace {

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// Null: none was called.
const CLI::App* called_command(const CLI::App& app) {
  for (const CLI::App* one : commands(app)) {
    if (one->parsed()) return one;
  }
  return nullptr;
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  const CLI::App* const command = called_command(app);
  for (const CLI::App* one : {&app, command}) {
    if (one == nullptr) continue;
    for (const CLI::Option* option : one->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

std::string suggestion(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string* const close = tables::close_match(names, wanted);
  return close == nullptr ? "" : " (did you mean " + *close + "?)";
}

std::string text_of_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) return "an argument was not expected";
  const auto dashed = [](const std::string& one) { return one.starts_with('-'); };
  const auto option = std::find_if(extras.begin(), extras.end(), dashed);
  const std::string& first = option == extras.end() ? extras.front() : *option;
  if (called_command(app) == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* one : commands(app)) names.push_back(one->get_name());
    return "there is no command \"" + first + "\"" + suggestion(names, first);
  }
  if (!dashed(first)) return "there is no place for \"" + first + "\"";
  const std::string name = first.substr(0, first.find('='));
  return "there is no option " + name + suggestion(long_names(app), name);
}

}  // namespace

std::string usage_text(const CLI::ParseError& error, const CLI::App& app) {
  std::string text = error.what();
  const std::string kind = error.get_name();
  const auto after = [&](std::string_view start) { return text.substr(start.size()); };
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras || (kind == "RequiredError" && !app.remaining(true).empty()))
    return text_of_extras(app);
  if (text == "A subcommand is required") return "a command is required";
  if (kind == "ValidationError") {  // NAME: VALUE: constraint
    const std::size_t colon = text.find(": ");
    return colon == std::string::npos ? text : text.substr(0, colon) + text.substr(colon + 1);
  }
  if (constexpr std::string_view start = "Could not convert: "; text.starts_with(start)) {
    const std::size_t equals = text.find(" = ");
    if (equals != std::string::npos)
      return after(start).substr(0, equals - start.size()) + text.substr(equals + 2) +
             ": must be a number";
  }
  if (kind == "ArgumentMismatch") return text.substr(0, text.find(':')) + ": needs a value";
  if (constexpr std::string_view start = "INI was not able to parse "; text.starts_with(start)) {
    const std::string name = after(start).substr(after(start).rfind('.') + 1);
    return "--config: there is no option " + name + suggestion(long_names(app), "--" + name);
  }
  return text;
}

std::string by_option(const std::string& message) {
  const std::size_t equals = message.find(" = ");
  if (equals == std::string::npos) return message;
  std::string name = message.substr(0, equals);
  if (name == "regularization_rule") name = "regularization";
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name + message.substr(equals + 2);
}

std::string usage_hint(const CLI::App& app) {
  const CLI::App* const command = called_command(app);
  return "Try `bkernn " + (command == nullptr ? "" : command->get_name() + " ") + "--help`.";
}

}  // namespace bkernn::cli
