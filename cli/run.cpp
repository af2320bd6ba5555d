#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <algorithm>
#include <new>
#include <sstream>
#include <utility>

#include "bkernn/version.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/fitting/fit_progress.hpp"
#include "cli/options/help.hpp"
#include "cli/options/usage.hpp"

namespace bkernn::cli {
namespace {

// A config file belongs to the subcommand that is called; a [section] for it is not needed.
class FlatConfig : public CLI::ConfigTOML {
 public:
  explicit FlatConfig(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    std::vector<CLI::ConfigItem> found = CLI::ConfigTOML::from_config(input);
    const std::vector<const CLI::App*> called =
        app_.get_subcommands([](const CLI::App* one) { return one->parsed(); });
    for (CLI::ConfigItem& item : found) {
      std::replace(item.name.begin(), item.name.end(), '_', '-');
      if (item.parents.empty() && !called.empty()) item.parents = {called.front()->get_name()};
    }
    return found;
  }

 private:
  const CLI::App& app_;
};

void add_commands(CLI::App& app) {
  add_simulate_command(app);
  add_fit_command(app);
  add_predict_command(app);
  add_score_command(app);
  add_inspect_command(app);
  add_stability_command(app);
  add_report_command(app);
  add_convert_command(app);
  add_demo_command(app);
  add_completion_command(app);
  for (CLI::App* one : app.get_subcommands([](CLI::App*) { return true; })) one->group("Commands");
}

int fail(const std::string& message, int code) {
  tell("bkernn: " + message);
  return code;
}

// Options are understood with _ in place of -, as Python calls them.
std::string with_dashes(std::string argument) {
  if (!argument.starts_with("--")) return argument;
  const auto end =
      argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
  std::replace(argument.begin(), end, '_', '-');
  return argument;
}

// The commands run while the command line is parsed.
int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) arguments.push_back(with_dashes(argv[i]));
  try {
    app.parse(std::move(arguments));
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw UsageError(usage_text(error, app));
    std::ostringstream out;
    app.exit(error, out, out);
    print(out.str());
    return 0;
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app("BKerNN: regression and classification that find the few directions that matter.",
               "bkernn");
  app.set_version_flag("--version",
                       std::string("bkernn ") + version() + " (" + build_description() + ")",
                       "version, compiler and instruction set");
  app.set_config("--config", "", "options from a TOML or INI file: `name = value`")
      ->option_text("FILE");
  app.config_formatter(std::make_shared<FlatConfig>(app));
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_help_flag("-h,--help", "this page");
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start with `bkernn demo`. `bkernn COMMAND --help` lists options and examples.\n"
      "Names may have - or _. Exit: 0 success, 1 failure, 2 wrong usage, 130 Ctrl-C.");
  add_commands(app);
  try {
    return parse_and_run(app, argc, argv);
  } catch (const UsageError& error) {
    return fail(error.what() + ("\n" + usage_hint(app)), 2);
  } catch (const Interrupted& error) {
    return fail(error.what(), 128 + InterruptGuard::signal());
  } catch (const Error& error) {
    return fail(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", 1);
  } catch (const std::exception& error) {
    return fail(std::string("unexpected: ") + error.what(), 1);
  }
}

}  // namespace bkernn::cli
