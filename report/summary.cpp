#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bkernn/metrics.hpp"
#include "report/sentence.hpp"
#include "report/structure.hpp"
#include "report/text.hpp"

namespace bkernn::report {
namespace {

constexpr Index kMostNamed = 5;
constexpr int kBarWidth = 24;

std::vector<Index> by_size(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(values(a)) > std::abs(values(b)); });
  return order;
}

std::string direction_text(const Vector& direction, const std::vector<std::string>& names) {
  constexpr std::size_t kMostTerms = 6;
  std::string text;
  const std::vector<Index> order = by_size(direction);
  for (std::size_t i = 0; i < std::min(kMostTerms, order.size()); ++i) {
    const double weight = direction(order[i]);
    if (std::abs(weight) < 0.01) break;
    const std::string sign = weight < 0 ? "− " : text.empty() ? "" : "+ ";
    text += (text.empty() ? "" : " ") + sign +
            short_number(std::round(std::abs(weight) * 100) / 100, 2) + " " +
            one_line(names[order[i]]);
  }
  return text + (order.size() > kMostTerms ? " …" : "");
}

}  // namespace

std::string describe_columns(const Encoder& encoder, const std::vector<std::string>& names) {
  std::vector<std::string> categories, gaps;
  for (std::size_t a = 0; a < encoder.columns.size(); ++a) {
    if (encoder.columns[a].category) categories.push_back(one_line(names[a]));
    if (encoder.columns[a].gaps > 0) gaps.push_back(one_line(names[a]));
  }
  const auto listed = [](const std::vector<std::string>& all) {
    constexpr std::size_t kMost = 8;
    std::vector<std::string> some(all.begin(), all.begin() + std::min(all.size(), kMost));
    if (all.size() > kMost) some.emplace_back("…");
    return joined(some);
  };
  std::string text;
  if (!categories.empty()) {
    text = (categories.size() == 1 ? "1 category: "
                                   : std::to_string(categories.size()) + " categories: ") +
           listed(categories);
  }
  if (!gaps.empty()) text += (text.empty() ? "gaps in " : "; gaps in ") + listed(gaps);
  return count_of(static_cast<long long>(names.size()), "variable") +
         (text.empty() ? "" : " (" + text + ")");
}

namespace {

std::string kind_text(const Model& model, Index a) {
  if (model.encoder.empty()) return "";
  const EncodedColumn& column = model.encoder.columns[static_cast<std::size_t>(a)];
  std::string text =
      column.category ? "category, " + count_of(column.outcomes().size(), "level") : "number";
  if (!column.category && column.gaps > 0)
    text += ", " + short_number(std::round(column.gaps * 1e3) / 10, 3) + "% missing";
  return text;
}

Json column_json(const Model& model, Index a) {
  if (model.encoder.empty()) return Json::object();
  const EncodedColumn& column = model.encoder.columns[static_cast<std::size_t>(a)];
  Json one = {{"kind", column.category ? "category" : "number"}, {"missing", column.gaps}};
  if (column.category) one["levels"] = level_list(model, a);
  return one;
}

}  // namespace

Json level_list(const Model& model, Index column) {
  Json levels = Json::array();
  const std::vector<std::string> names = model.encoder.outcome_names(column);
  const Vector shares = model.encoder.columns[static_cast<std::size_t>(column)].outcomes();
  const Matrix effects = model.level_effects(column);
  for (std::size_t l = 0; l < names.size(); ++l) {
    const auto row = static_cast<Index>(l);
    levels.push_back({{"name", names[l]},
                      {"share", shares(row)},
                      {"effect", to_array(effects.row(row).transpose())}});
  }
  return levels;
}

namespace {

// The categories that matter most, and what their levels add to f.
std::string levels_text(const Model& model, const std::vector<Index>& order, Index shown) {
  constexpr Index kMostCategories = 3;
  constexpr std::size_t kMostLevels = 8;
  std::string text;
  Index listed = 0;
  const Vector sizes = model.column_sizes();
  for (Index i = 0; i < shown && listed < kMostCategories; ++i) {
    const Index a = order[i];
    if (model.encoder.empty() || !model.encoder.columns[static_cast<std::size_t>(a)].category ||
        sizes(a) <= 0 || model.n_outputs() > 1) {
      continue;
    }
    ++listed;
    const std::vector<std::string> names = model.encoder.outcome_names(a);
    const Vector effects = model.level_effects(a).col(0);
    const std::vector<Index> by_effect = by_size(effects);
    std::string line;
    for (std::size_t l = 0; l < std::min(kMostLevels, names.size()); ++l) {
      const double effect = effects(by_effect[l]);
      line += (l > 0 ? ",  " : "") + one_line(names[by_effect[l]]) + " " +
              (effect < 0 ? "−" : "+") + short_number(std::abs(effect), 3);
    }
    if (names.size() > kMostLevels) line += ", …";
    const std::string name =
        model.feature_names.empty() ? "x" + std::to_string(a + 1) : model.feature_names[a];
    text += "  " + one_line(name) + ":  " + line + "\n";
  }
  return text.empty() ? "" : "\nlevels, by what they add to f in the average row\n" + text;
}

}  // namespace

std::string summary_text(const SavedModel& saved, Index most_variables) {
  const Model& model = saved.model;
  const Structure structure = structure_of(model);
  std::string text;
  for (const auto& [rows, scores] : saved.scores) {
    text += one_line(rows) + ":";
    for (const auto& [name, value] : scores)
      text += "  " + one_line(name) + " " + short_number(value, 5);
    text += "\n";
  }
  text += "found: " + describe(structure, model.n_columns()) + "\n";
  const Vector importances = model.importances();
  const std::vector<Index> order = by_size(importances);
  const Index shown = std::min(most_variables, model.n_columns());
  const double largest = importances.maxCoeff();
  if (largest > 0) {
    text += "\nvariables by importance" +
            std::string(shown < model.n_columns() ? ", the first ones" : "") + "\n";
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < shown; ++i) {
      const double value = importances(order[i]);
      rows.push_back({one_line(structure.names[order[i]]),
                      short_number(std::round(value * 1e4) / 1e4, 3),
                      bar(value / largest, kBarWidth)});
      if (!model.encoder.empty()) rows.back().push_back(kind_text(model, order[i]));
    }
    text += aligned(rows);
    text += levels_text(model, order, shown);
  }
  const Index k = std::min(structure.dimension, kMostNamed);
  if (k > 0 && !structure.variables) {
    text += "\nleading directions, in standardized variables\n";
    const Matrix P = model.directions(k);
    const std::vector<std::string> coordinates = model.coordinate_names();
    for (Index i = 0; i < k; ++i) {
      text += "  " + std::to_string(i + 1) + "  singular value " +
              short_number(structure.values(i), 3) + ":  " + direction_text(P.col(i), coordinates) +
              "\n";
    }
  }
  return text;
}

namespace {

Json to_json(const Race& race) {
  if (race.empty()) return nullptr;
  Json points = Json::array();
  for (const RacePoint& one : race.points) {
    points.push_back({{"penalty", one.penalty},
                      {"ranks", one.ranks},
                      {"regularization", one.regularization},
                      {"loss", one.loss},
                      {"error", one.error},
                      {"dropped", one.dropped}});
  }
  return {{"points", points},
          {"best", race.best},
          {"constant", race.constant},
          {"constant_loss", race.constant_loss},
          {"rows", race.rows}};
}

}  // namespace

Json summary_json(const SavedModel& saved) {
  const Model& model = saved.model;
  const Structure structure = structure_of(model);
  const Vector importances = model.importances();
  Json variables = Json::array();
  for (Index a = 0; a < model.n_columns(); ++a) {
    Json one = {{"name", structure.names[a]}, {"importance", importances(a)}};
    one.update(column_json(model, a));
    variables.push_back(one);
  }
  Json directions = Json::array();
  if (structure.rank > 0) {
    const Matrix P = model.directions(structure.rank);
    for (Index i = 0; i < structure.rank; ++i) directions.push_back(to_array(P.col(i)));
  }
  const FitReport& report = saved.report;
  return {{"library_version", saved.library_version},
          {"sentence", sentence(saved)},
          {"kernel", model.kernel},
          {"loss", model.loss},
          {"penalty", model.penalty},
          {"target_names", saved.target_names},
          {"class_names", model.class_names},
          {"regularization", saved.regularization},
          {"seed", saved.options.seed},
          {"n_particles", model.n_particles},
          {"active_particles", model.W.cols()},
          {"dimension", structure.dimension},
          {"dimension_share", structure.share},
          {"selects_variables", structure.variables},
          {"singular_values", to_array(model.singular_values())},
          {"variables", variables},
          {"directions", directions},
          {"coordinates", model.coordinate_names()},
          {"scores", saved.scores},
          {"data", {{"rows", saved.data.rows}, {"columns", saved.data.columns}}},
          {"training",
           {{"result", bkernn::describe(report.termination)},
            {"converged", report.converged()},
            {"iterations", report.iterations.size()},
            {"evaluations", report.evaluations},
            {"objective", report.objective},
            {"initial_objective", report.initial_objective},
            {"promised_decrease", report.promised_decrease},
            {"inner_residual", report.inner_residual},
            {"optimizer", report.optimizer},
            {"inner_solver", report.inner_solver},
            {"kernel_operator", report.kernel_operator},
            {"knots", report.knots},
            {"coarse_unknowns", report.coarse_unknowns},
            {"stages", report.stages()},
            {"models", report.models},
            {"seconds", report.seconds},
            {"race", to_json(report.race)}}}};
}

}  // namespace bkernn::report
