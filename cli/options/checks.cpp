#include "cli/options/checks.hpp"

#include <algorithm>
#include <charconv>

#include "report/text.hpp"

namespace bkernn::cli {

namespace {

constexpr const char* kWords = "words";  // the name of the check, by which completion finds it

std::string spaced(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

CLI::Validator check_words(const std::vector<std::string>& words, bool or_number) {
  const auto check = [words, or_number](std::string& given) -> std::string {
    const auto same = [](char a, char b) { return a == b || (a == '_' && b == '-'); };
    for (const std::string& word : words) {
      if (std::equal(word.begin(), word.end(), given.begin(), given.end(), same)) {
        given = word;
        return "";
      }
    }
    if (double value = 0; or_number && parse_number(given, value)) return "";
    return given + ": must be " + (or_number ? "" : "one of ") + report::joined(words) +
           (or_number ? " or a number" : "");
  };
  return CLI::Validator(check, spaced(words), kWords);
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  return check_words(words, false);
}

CLI::Validator one_of_or_number(const std::vector<std::string>& words) {
  return check_words(words, true);
}

std::string words_of(CLI::Option& option) {
  try {
    return option.get_validator(kWords)->get_description();
  } catch (const CLI::OptionNotFound&) {
    return "";
  }
}

CLI::Validator within(const Range& range, bool whole_numbers) {
  const auto check = [range, whole_numbers](std::string& given) -> std::string {
    double value = 0;
    if (!parse_number(given, value) || range.contains(value)) return "";  // words are told later
    return given + ": " + range.constraint(whole_numbers);
  };
  return CLI::Validator(check, "");
}

bool parse_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " | ") + word;
  return text;
}

}  // namespace bkernn::cli
