#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options/checks.hpp"
#include "cli/options/common_options.hpp"

namespace bkernn::cli {
namespace {

const std::vector<std::string> kShells{"bash", "zsh", "fish"};

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

// With dashes, and words between them: " -q --quiet".
std::string names_of(const CLI::Option& option, const std::string& long_mark,
                     const std::string& short_mark) {
  std::string words;
  for (const std::string& name : option.get_lnames())
    words.append(" ").append(long_mark).append(name);
  for (const std::string& name : option.get_snames())
    words.append(" ").append(short_mark).append(name);
  return words;
}

std::string options_of(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : command.get_options()) words += names_of(*option, "--", "-");
  return words;
}

// The values that follow an option, by the option; the same for all commands.
std::string bash_values(CLI::App& app) {
  std::map<std::string, std::string> values;
  for (CLI::App* one : commands_of(app)) {
    for (CLI::Option* option : one->get_options()) {
      const std::string words = words_of(*option);
      if (!words.empty() && !option->get_lnames().empty())
        values["--" + option->get_lnames().front()] = words;
    }
  }
  std::string cases;
  for (const auto& [name, words] : values)
    cases.append("    " + name + ") COMPREPLY=($(compgen -W \"")
        .append(words + "\" -- \"$current\")); return ;;\n");
  return cases;
}

std::string bash(CLI::App& app) {
  std::string commands, cases;
  for (CLI::App* one : commands_of(app)) {
    commands += one->get_name() + " ";
    cases += "    " + one->get_name() + ") words=\"" + options_of(*one) + "\" ;;\n";
  }
  return "_bkernn() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n"
         "  COMPREPLY=()\n"
         "  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
         bash_values(app) +
         "  esac\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         cases + "    *) words=\"" + commands + options_of(app) +
         "\" ;;\n"
         "  esac\n"
         "  if [[ $current == -* || $COMP_CWORD == 1 ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _bkernn bkernn\n";
}

std::string zsh(CLI::App& app) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

// Text between single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return "'" + text + "'";
}

std::string fish(CLI::App& app) {
  std::string text;
  for (CLI::App* one : commands_of(app)) {
    text += "complete -c bkernn -n __fish_use_subcommand -a " + one->get_name() + " -d " +
            quoted(one->get_description()) + "\n";
    for (CLI::Option* option : one->get_options()) {
      const std::string names = names_of(*option, "-l ", "-s "), values = words_of(*option);
      if (names.empty()) continue;
      text += "complete -c bkernn -n '__fish_seen_subcommand_from " + one->get_name() + "'" +
              names + (values.empty() ? "" : " -x -a " + quoted(values)) + " -d " +
              quoted(option->get_description()) + "\n";
    }
  }
  return text;
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("completion", "Complete commands and options in bash, zsh or fish");
  command.add_option("SHELL", *shell, listed(kShells))
      ->required()
      ->transform(one_of(kShells))
      ->option_text(" ");
  set_examples(command,
               "  source <(bkernn completion bash)        # in ~/.bashrc; the same with zsh\n"
               "  bkernn completion fish | source         # in config.fish");
  command.callback([shell, &app] {
    print(*shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
  });
}

}  // namespace bkernn::cli
