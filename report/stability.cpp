#include "report/stability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bkernn/error.hpp"
#include "report/text.hpp"

namespace bkernn::report {
namespace {

constexpr const char* kFormat = "bkernn-stability";
constexpr Index kMostWeights = 6;

std::string name_of_variable(const std::vector<std::string>& names, Index a) {
  return names.empty() ? "x" + std::to_string(a + 1) : one_line(names[a]);
}

std::vector<Index> by_value(const Vector& values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values(a) > values(b); });
  return order;
}

std::string rounded(double value, double step) {
  return short_number(std::round(value / step) * step + 0.0, 6);  // no minus before a zero
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + "%";
}

std::string selection_text(const StabilityResult& result, const std::vector<std::string>& names,
                           Index most) {
  std::vector<std::vector<std::string>> rows;
  const std::vector<Index> order = by_value(result.selection);
  const Index shown = std::min<Index>(most, result.selection.size());
  for (Index i = 0; i < shown; ++i) {
    const double share = result.selection(order[i]);
    rows.push_back({name_of_variable(names, order[i]), percent(share), bar(share, 20)});
  }
  return "selection frequency of the variables" +
         std::string(shown < result.selection.size() ? ", the first ones" : "") + "\n" +
         aligned(rows) + "a half selects " + short_number(result.selected, 3) + " of " +
         count_of(result.selection.size(), "variable") + "; of those above " +
         percent(result.threshold) + ", at most " + short_number(result.bound, 2) +
         " are expected to be noise\n(Shah and Samworth: noise is what a half selects no more "
         "often than the average variable)\n\n";
}

// What the weights of a direction belong to.
std::vector<std::string> coordinate_names(const StabilityResult& result,
                                          std::vector<std::string> names) {
  const bool unnamed = names.empty();
  for (Index a = 0; unnamed && a < result.fit.model.n_columns(); ++a)
    names.push_back(name_of_variable({}, a));
  return result.fit.model.encoder.coordinate_names(names);
}

std::string directions_text(const StabilityResult& result, const std::vector<std::string>& names) {
  const Index k = result.directions.cols();
  std::string text = "principal angles between the directions of all rows and those of a half\n";
  for (Index i = 0; i < k; ++i) {
    text += "  " + std::to_string(i + 1) + "  " + rounded(result.angle_levels(1, i), 0.1) + "° (" +
            rounded(result.angle_levels(0, i), 0.1) + "° to " +
            rounded(result.angle_levels(2, i), 0.1) + "°)\n";
  }
  text += "\nweights of standardized variables, with intervals of " + percent(result.coverage) +
          " over the halves\n";
  for (Index i = 0; i < k; ++i) {
    std::vector<std::vector<std::string>> rows;
    const std::vector<Index> order = by_value(result.directions.col(i).cwiseAbs());
    const auto shown = std::min<std::size_t>(order.size(), kMostWeights);
    for (std::size_t j = 0; j < shown; ++j) {
      const Index a = order[j];
      rows.push_back({name_of_variable(names, a), rounded(result.directions(a, i), 0.01),
                      "(" + rounded(result.lower(a, i), 0.01) + " to " +
                          rounded(result.upper(a, i), 0.01) + ")"});
    }
    text += "  direction " + std::to_string(i + 1) + "\n" + aligned(rows);
  }
  return text + "\n";
}

std::string curve_text(const DimensionCurve& curve) {
  std::vector<std::vector<std::string>> rows{{"directions", "held-out loss", "± error", "p"}};
  for (Index k = 0; k < curve.loss.size(); ++k) {
    rows.push_back({std::to_string(k), short_number(curve.loss(k), 4),
                    short_number(curve.standard_error(k), 2),
                    k > 0 ? short_number(curve.p_value(k - 1), 3) : ""});
  }
  return "how many directions\n" + aligned(rows) + curve.sentence() + "\n";
}

}  // namespace

std::string stability_text(const StabilityResult& result, const std::vector<std::string>& names,
                           Index most_variables) {
  std::string text;
  if (result.halves > 0) {
    text += count_of(result.halves, "fit") + " of half of the rows\n\n" +
            selection_text(result, names, most_variables);
    if (result.directions.cols() > 0)
      text += directions_text(result, coordinate_names(result, names));
  }
  if (result.curve.loss.size() > 0) text += curve_text(result.curve);
  return text;
}

Json stability_json(const StabilityResult& result, const std::vector<std::string>& names) {
  Json variables = Json::array(), directions = Json::array();
  for (Index a = 0; a < result.selection.size(); ++a) {
    variables.push_back({{"name", names.empty() ? name_of_variable({}, a) : names[a]},
                         {"selection", result.selection(a)}});
  }
  for (Index i = 0; i < result.directions.cols(); ++i) {
    Json one = {{"weights", to_array(result.directions.col(i))}};
    if (result.halves > 0) {
      one["lower"] = to_array(result.lower.col(i));
      one["upper"] = to_array(result.upper.col(i));
      one["angle"] = to_array(result.angle_levels.col(i));
      one["angles"] = to_array(result.angles.col(i));
    }
    directions.push_back(one);
  }
  const DimensionCurve& curve = result.curve;
  return {{"format", kFormat},
          {"version", {1, 0}},
          {"halves", result.halves},
          {"threshold", result.threshold},
          {"coverage", result.coverage},
          {"selected", result.selected},
          {"bound", result.bound},
          {"variables", variables},
          {"coordinates", coordinate_names(result, names)},
          {"directions", directions},
          {"curve",
           {{"loss", to_array(curve.loss)},
            {"standard_error", to_array(curve.standard_error)},
            {"p_value", to_array(curve.p_value)},
            {"dimension", curve.dimension}}},
          {"sentence", curve.sentence()},
          {"seconds", result.seconds}};
}

Json read_stability(const std::string& text, const std::string& name, const Model& model) {
  Json found = Json::parse(text, nullptr, false);
  if (!found.is_object() || found.value("format", "") != kFormat)
    throw IoError(name + ": is not a stability study; `bkernn stability -o` writes one");
  for (const char* key : {"variables", "directions", "curve", "sentence"}) {
    if (!found.contains(key)) throw IoError(name + ": has no " + key);
  }
  std::vector<std::string> names;
  for (const Json& one : found["variables"]) names.push_back(one.at("name"));
  const bool same = model.feature_names.empty()
                        ? static_cast<Index>(names.size()) == model.n_columns()
                        : names == model.feature_names;
  if (!same) throw IoError(name + ": is about other variables than the model");
  return found;
}

}  // namespace bkernn::report
