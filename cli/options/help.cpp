#include "cli/options/help.hpp"

#include <sstream>
#include <vector>

namespace bkernn::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kCommandColumn = 14;
constexpr std::size_t kOptionColumn = 30;

// `left` at two spaces, and the words of `right` in lines from this column on.
std::string two_columns(const std::string& left, const std::string& right, std::size_t column) {
  std::string text = "  " + left, line(column, ' ');
  if (text.size() + 2 > column) {
    text += "\n";
  } else {
    line = text + std::string(column - text.size(), ' ');
    text.clear();
  }
  std::istringstream words(right);
  bool empty = true;
  for (std::string word; words >> word; empty = false) {
    if (!empty && line.size() + 1 + word.size() > kWidth) {
      text += line + "\n";
      line = std::string(column, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
  }
  return text + line + "\n";
}

}  // namespace

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return app->get_description() + "\n\n";
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return two_columns(sub->get_name(), sub->get_description(), kCommandColumn);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option), kOptionColumn);
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  if (is_positional) return option->get_name(true, false);
  std::string names;
  for (const std::string& name : option->get_snames())
    names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option->get_lnames())
    names += (names.empty() ? "--" : ", --") + name;
  return names;
}

}  // namespace bkernn::cli
