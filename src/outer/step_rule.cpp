#include "outer/step_rule.hpp"

#include "base/names.hpp"

namespace bkernn {

std::unique_ptr<StepRule> make_paper_steps();
std::unique_ptr<StepRule> make_quasi_newton_steps();
std::unique_ptr<StepRule> make_spectral_steps();

const std::vector<std::string>& step_rule_names() {
  static const std::vector<std::string> names{"quasi_newton", "spectral", "paper"};
  return names;
}

std::unique_ptr<StepRule> make_step_rule(const std::string& name) {
  if (name == "auto") return make_quasi_newton_steps();
  require_name("optimizer", name, step_rule_names());
  if (name == "paper") return make_paper_steps();
  if (name == "spectral") return make_spectral_steps();
  return make_quasi_newton_steps();
}

}  // namespace bkernn
