#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <new>
#include <sstream>

#include "bkernn/version.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"

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
}

bool has_command(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* one) { return one->get_name() == name; }).empty();
}

int fail(const std::string& message, int code) {
  tell("bkernn: " + message);
  return code;
}

// The commands run while the command line is parsed.
int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && !has_command(app, argv[1])) {
      return fail(std::string("there is no command \"") + argv[1] + "\"\nTry `bkernn --help`.", 2);
    }
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    print(out.str());
    if (!err.str().empty()) tell(err.str().substr(0, err.str().find_last_not_of('\n') + 1));
    return code == 0 ? 0 : 2;
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app(
      "BKerNN: regression and classification that find the few directions, or variables, that "
      "matter.\n"
      "f(x) = c + mean of h_j(w_j·x): directions w_j and functions h_j are both learned.",
      "bkernn");
  app.set_version_flag("--version",
                       std::string("bkernn ") + version() + " (" + build_description() + ")");
  app.set_config("--config", "",
                 "read options from a TOML or INI file: one `name = value` per line")
      ->option_text("FILE");
  app.config_formatter(std::make_shared<FlatConfig>(app));
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start with `bkernn demo`. `bkernn COMMAND --help` has the options and examples.\n"
      "Exit codes: 0 success, 1 failure, 2 wrong usage.");
  add_commands(app);
  try {
    return parse_and_run(app, argc, argv);
  } catch (const UsageError& error) {
    return fail(std::string(error.what()) + "\nTry `bkernn --help`.", 2);
  } catch (const Error& error) {
    return fail(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", 1);
  } catch (const std::exception& error) {
    return fail(std::string("unexpected: ") + error.what(), 1);
  }
}

}  // namespace bkernn::cli
