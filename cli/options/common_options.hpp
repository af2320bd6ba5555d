// Options that several subcommands have.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

#include "tables/csv/csv_reader.hpp"

namespace bkernn::cli {

struct CommonOptions {
  std::string separator;        // empty: detected
  std::string header = "auto";  // auto | yes | no
  int threads = 0;
  bool quiet = false;
  bool json = false;

  tables::CsvFormat format() const;
};

// The model to read, as the first argument.
void add_model_option(CLI::App& command, std::string& model);

void add_format_options(CLI::App& command, CommonOptions& options);
void add_thread_option(CLI::App& command, CommonOptions& options);
void add_output_options(CLI::App& command, CommonOptions& options);

// Refuses an output that is one of the tables or models the command reads, by whatever name.
void check_keeps(const std::string& output, const std::vector<std::string>& inputs);

// What stands below the options in --help.
void set_examples(CLI::App& command, const std::string& examples);

}  // namespace bkernn::cli
