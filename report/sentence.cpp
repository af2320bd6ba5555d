#include "report/sentence.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>

#include "bkernn/loss.hpp"
#include "report/structure.hpp"
#include "report/text.hpp"

namespace bkernn::report {
namespace {

constexpr std::size_t kMostWeighty = 3;

std::string percent_of(double share) {
  return short_number(std::floor(1000 * share) / 10, share > 0.9 ? 3 : 2) + "%";
}

// "a, b and c".
std::string and_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::vector<std::string> weightiest(const Model& model, const Structure& structure,
                                    std::size_t most) {
  const Vector importances = model.importances();
  std::vector<Index> order(static_cast<std::size_t>(importances.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return importances(a) > importances(b); });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    if (importances(order[i]) > 0) names.push_back(one_line(structure.names[order[i]]));
  }
  return names;
}

// "2 directions in 8 variables", "3 of 12 variables (a, b and c)".
std::string subject(const Model& model, const Structure& structure) {
  const std::string variables = count_of(model.n_columns(), "variable");
  if (!structure.variables) return count_of(structure.dimension, "direction") + " in " + variables;
  const auto named = static_cast<std::size_t>(structure.dimension);
  std::string some = structure.dimension == model.n_columns()
                         ? "all " + variables
                         : std::to_string(structure.dimension) + " of " + variables;
  if (named > 2 * kMostWeighty) return some;
  return some + " (" + and_list(weightiest(model, structure, named)) + ")";
}

struct Evidence {
  std::string rows;
  std::map<std::string, double> scores;
};

Evidence evidence_of(const SavedModel& saved) {
  for (const auto& [key, words] : {std::pair{"validation", "on the validation rows"},
                                   std::pair{"cross_validation", "in cross-validation"},
                                   std::pair{"train", "on the training rows"}}) {
    const bool better = std::string(key) == "train" && !saved.report.race.empty();
    const auto found = saved.scores.find(key);
    if (found != saved.scores.end() && !better) return {words, found->second};
  }
  const Race& race = saved.report.race;
  if (race.empty()) return {};
  const double loss = race.points[static_cast<std::size_t>(race.best)].loss;
  Evidence held_out{"on held-out rows", {{"loss", loss}, {"constant", race.constant_loss}}};
  if (saved.model.loss == default_loss()) held_out.scores["r2"] = 1 - loss / race.constant_loss;
  return held_out;
}

// The verb and what follows; `many`: the subject is a plural.
std::string predicate(const SavedModel& saved, const Evidence& evidence, bool many) {
  const Index classes = saved.model.n_classes();
  const std::string target = saved.target_names.empty() ? "y" : and_list(saved.target_names);
  const auto score = [&](const char* name) -> std::optional<double> {
    const auto found = evidence.scores.find(name);
    return found == evidence.scores.end() ? std::nullopt : std::optional(found->second);
  };
  const auto verb = [&](const std::string& word) { return " " + word + (many ? "" : "s") + " "; };
  std::string text;
  if (classes > 0) {
    text = verb("tell") + "the " + std::to_string(classes) + " classes of " + one_line(target) +
           " apart";
    if (const auto right = score("accuracy"))
      return text + ", right in " + percent_of(*right) + " of cases " + evidence.rows;
  } else if (const auto r2 = score("r2"); r2 && *r2 > 0) {
    return verb("explain") + percent_of(*r2) + " of the variance of " + one_line(target) + " " +
           evidence.rows;
  } else {
    text = verb("predict") + one_line(target);
  }
  const auto loss = score("loss"), constant = score("constant");
  if (loss && constant && *loss < *constant)
    text += ", with a loss " + evidence.rows + " that is " + percent_of(1 - *loss / *constant) +
            " below that of a constant";
  return text;
}

}  // namespace

std::string sentence(const SavedModel& saved) {
  const Model& model = saved.model;
  const Structure structure = structure_of(model);
  if (structure.dimension == 0) {
    return "Nothing was found in " + count_of(model.n_columns(), "variable") + " that predicts " +
           (saved.target_names.empty() ? "y" : one_line(and_list(saved.target_names))) +
           " better than a constant.";
  }
  const Evidence evidence = evidence_of(saved);
  std::string text =
      subject(model, structure) + predicate(saved, evidence, structure.dimension > 1);
  const std::vector<std::string> names = weightiest(model, structure, kMostWeighty);
  if (!structure.variables && model.n_columns() > 1)
    text += "; " + and_list(names) + (names.size() > 1 ? " weigh" : " weighs") + " most";
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

}  // namespace bkernn::report
