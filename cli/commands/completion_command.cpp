#include <memory>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/console.hpp"

namespace bkernn::cli {
namespace {

// The options of a command, as they are typed.
std::string options_of(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
    for (const std::string& name : option->get_snames()) words += "-" + name + " ";
  }
  return words.substr(0, words.size() - (words.empty() ? 0 : 1));
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string bash(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* one : commands_of(app)) {
    commands += one->get_name() + " ";
    cases += "    " + one->get_name() + ") words=\"" + options_of(*one) + "\" ;;\n";
  }
  return "_bkernn() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n"
         "  COMPREPLY=()\n"
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

std::string zsh(const CLI::App& app) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

// Text between single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return "'" + text + "'";
}

std::string fish(const CLI::App& app) {
  std::string text;
  for (const CLI::App* one : commands_of(app)) {
    text += "complete -c bkernn -n __fish_use_subcommand -a " + one->get_name() + " -d " +
            quoted(one->get_description()) + "\n";
    for (const CLI::Option* option : one->get_options()) {
      std::string names;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      if (names.empty()) continue;
      text += "complete -c bkernn -n '__fish_seen_subcommand_from " + one->get_name() + "'" +
              names + " -d " + quoted(option->get_description()) + "\n";
    }
  }
  return text;
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("completion", "Completion of commands and options, for a shell to read");
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text(" ");
  set_examples(command,
               "  source <(bkernn completion bash)        # in ~/.bashrc; the same with zsh\n"
               "  bkernn completion fish | source         # in config.fish");
  command.callback([shell, &app] {
    print(*shell == "bash" ? bash(app) : *shell == "zsh" ? zsh(app) : fish(app));
  });
}

}  // namespace bkernn::cli
