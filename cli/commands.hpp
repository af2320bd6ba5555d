// The command-line tool: one function for each subcommand, which adds it with its options. What it
// does when it is called is in its callback; failures are exceptions (see errors.hpp).
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace bkernn::cli {

void add_simulate_command(CLI::App& app);
void add_fit_command(CLI::App& app);
void add_predict_command(CLI::App& app);
void add_score_command(CLI::App& app);
void add_inspect_command(CLI::App& app);
void add_stability_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_completion_command(CLI::App& app);

// The whole program. Returns the exit code: 0 success, 1 failure, 2 wrong usage, 130 stopped by
// Ctrl-C (128 and the number of the signal).
int run(int argc, const char* const* argv);

}  // namespace bkernn::cli
