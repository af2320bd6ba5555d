// What is said about a command line that is wrong, whoever noticed.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace bkernn::cli {

// One line in our words for what CLI11 threw.
std::string usage_text(const CLI::ParseError& error, const CLI::App& app);

// "n_models = 0: must …", as the library has it, as "--n-models 0: must …".
std::string by_option(const std::string& message);

// "Try `bkernn fit --help`.", by the command that was called.
std::string usage_hint(const CLI::App& app);

}  // namespace bkernn::cli
