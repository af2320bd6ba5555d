#include "outer/step_rule.hpp"

#include "base/names.hpp"

namespace bkernn {

std::unique_ptr<StepRule> make_paper_steps();
std::unique_ptr<StepRule> make_spectral_steps();

const std::vector<std::string>& step_rule_names() {
  static const std::vector<std::string> names{"spectral", "paper"};
  return names;
}

std::unique_ptr<StepRule> make_step_rule(const std::string& name) {
  if (name == "auto") return make_spectral_steps();
  require_name("optimizer", name, step_rule_names());
  if (name == "paper") return make_paper_steps();
  return make_spectral_steps();
}

}  // namespace bkernn
