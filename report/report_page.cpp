#include "report/report_page.hpp"

#include <algorithm>
#include <cmath>

#include "bkernn/loss.hpp"
#include "report/class_views.hpp"
#include "report/direction_maps.hpp"
#include "report/report_curves.hpp"
#include "report/scores.hpp"
#include "report/sentence.hpp"
#include "report/structure.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "report/what_if.hpp"
#include "tables/table_sink.hpp"

namespace bkernn::report {
namespace {

constexpr Index kMostDrawn = 4;
constexpr Index kMostParticles = 6;

Json score_list(const std::map<std::string, double>& scores) {
  Json list = Json::array();
  for (const auto& [name, value] : scores) {
    list.push_back({{"name", name}, {"meaning", describe_score(name)}, {"value", value}});
  }
  return list;
}

std::string rows_in_words(const std::string& rows) {
  if (rows == "train") return "Training rows";
  if (rows == "validation") return "Validation rows (not fitted)";
  if (rows == "cross_validation") return "Cross-validation (rows left out in turn)";
  return rows;
}

Json convergence(const FitReport& report) {
  Json records = Json::array();
  for (const IterationRecord& record : report.iterations) {
    records.push_back(
        {{"iteration", record.iteration},
         {"objective", record.objective},
         {"validation", std::isfinite(record.validation) ? Json(record.validation) : Json()},
         {"active_particles", record.active_particles},
         {"seconds", record.seconds}});
  }
  return records;
}

Json facts(const SavedModel& saved) {
  const Model& model = saved.model;
  const FitReport& report = saved.report;
  const std::string targets = joined(saved.target_names);
  return {{"target", targets.empty() ? "y" : targets},
          {"loss", model.loss},
          {"targets", name_of(make_loss(model.loss)->targets())},
          {"kernel", model.kernel},
          {"penalty", model.penalty},
          {"regularization", saved.regularization},
          {"particles", model.n_particles},
          {"active_particles", model.W.cols()},
          {"rows", saved.data.rows},
          {"variables", model.n_columns()},
          {"result", bkernn::describe(report.termination)},
          {"objective", report.objective},
          {"seconds", report.seconds},
          {"optimizer", report.optimizer},
          {"inner_solver", report.inner_solver},
          {"kernel_operator", report.kernel_operator},
          {"seed", std::to_string(saved.options.seed)},
          {"standardized", saved.options.standardize},
          {"library_version", saved.library_version}};
}

// The column of a coordinate.
std::size_t column_of(const Model& model, Index coordinate) {
  if (model.encoder.empty()) return static_cast<std::size_t>(coordinate);
  const std::vector<Index> begins = model.encoder.groups();
  const auto after = std::upper_bound(begins.begin(), begins.end(), coordinate);
  return static_cast<std::size_t>(after - begins.begin() - 1);
}

// A direction along a single variable has the name and, if that is a number, the units of it.
Json direction_json(const Model& model, const Structure& structure, double value,
                    const Vector& direction) {
  Index a = 0;
  direction.cwiseAbs().maxCoeff(&a);
  const std::size_t column = column_of(model, a);
  Json one = {
      {"value", value}, {"weights", to_array(direction)}, {"variable", structure.names[column]}};
  const bool category = !model.encoder.empty() && model.encoder.columns[column].category;
  if (direction(a) == 1 && !category)
    one["units"] = {{"zero", model.center(a)}, {"one", model.scale(a)}};
  return one;
}

// The leading directions: their weights, what is along them, what they do together.
void add_directions(const SavedModel& saved, const Structure& structure, const Along& along,
                    const tables::DataSet* data, Json& content) {
  Vector sorted = structure.values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  content["directions"] = Json::array();
  for (Index i = 0; i < along.count(); ++i) {
    content["directions"].push_back(
        direction_json(saved.model, structure, sorted(i), along.direction(i)));
  }
  content["functions"] = direction_curves(saved, along, data);
  content["together"] = direction_maps(saved, along);
}

// What needs rows: scores, predictions, classes.
void add_rows(const SavedModel& saved, const tables::DataSet& data, const std::string& data_name,
              const Along& along, Json& content) {
  const Model& model = saved.model;
  const Matrix F = model.predict(data.X), response = model.predict_response(data.X);
  content["data"] = {{"name", data_name}, {"rows", data.X.rows()}};
  content["scores"].push_back(
      {{"rows", "Rows of " + data_name},
       {"scores", score_list(compute_scores(saved, data.Y, F, data.weights_or_null()))}});
  if (model.n_classes() == 0) {
    content["predictions"] = prediction_points(response, data.Y);
    content["targets"] = data.target_names;
    return;
  }
  const Matrix Y = data.Y.cols() == 1 ? tables::both_classes(data.Y) : data.Y;
  content["confusion"] = confusion_matrix(response, Y);
  content["calibration"] = calibration_bins(response, Y);
  content["class_views"] = class_views(saved, along, &response, &Y);
}

}  // namespace

Json report_json(const SavedModel& saved, const tables::DataSet* data, const std::string& data_name,
                 const Json& stability) {
  const Model& model = saved.model;
  const Structure structure = structure_of(model);
  Json content;
  content["facts"] = facts(saved);
  content["sentence"] = sentence(saved);
  content["classes"] = Json::array();
  if (model.n_classes() > 0) content["classes"] = short_output_names(saved);
  content["outputs"] = output_names(saved);
  content["scores"] = Json::array();
  for (const auto& [rows, scores] : saved.scores) {
    content["scores"].push_back({{"rows", rows_in_words(rows)}, {"scores", score_list(scores)}});
  }
  content["structure"] = {{"variables", structure.variables},
                          {"dimension", structure.dimension},
                          {"share", structure.share},
                          {"values", to_array(structure.values)}};
  const Vector importances = model.importances();
  content["importances"] = Json::array();
  content["coordinates"] = model.coordinate_names();
  for (Index a = 0; a < model.n_columns(); ++a) {
    Json one = {{"name", structure.names[a]}, {"value", importances(a)}};
    const bool category =
        !model.encoder.empty() && model.encoder.columns[static_cast<std::size_t>(a)].category;
    if (category) one["levels"] = level_list(model, a);
    content["importances"].push_back(one);
  }
  const Index count =
      std::min({std::max<Index>(structure.dimension, 1), kMostDrawn, structure.rank});
  const Along along(saved, count, data);
  add_directions(saved, structure, along, data, content);
  content["particles"] = particle_curves(saved, kMostParticles);
  content["what_if"] = what_if(saved, data);
  content["convergence"] = convergence(saved.report);
  if (!stability.is_null()) content["stability"] = stability;
  if (data != nullptr) add_rows(saved, *data, data_name, along, content);
  if (data == nullptr && model.n_classes() > 0)
    content["class_views"] = class_views(saved, along, nullptr, nullptr);
  return content;
}

std::string report_page(const Json& content) {
  std::string json = content.dump(-1, ' ', false, Json::error_handler_t::replace);
  // "</script>" and "<!--" within a name must not end the element that holds the data.
  std::string safe;
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return page_before() + safe + page_after();
}

void write_report(const SavedModel& saved, const tables::DataSet* data,
                  const std::string& data_name, const std::string& path, const Json& stability) {
  const std::string page = report_page(report_json(saved, data, data_name, stability));
  const auto sink = tables::open_byte_sink(path);
  sink->write(page.data(), page.size());
  sink->commit();
}

}  // namespace bkernn::report
