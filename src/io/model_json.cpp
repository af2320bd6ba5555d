#include "io/model_json.hpp"

#include <algorithm>
#include <memory>

#include "bkernn/intervals.hpp"
#include "io/columns_json.hpp"
#include "io/document_fields.hpp"
#include "io/encoder_json.hpp"

namespace bkernn {
namespace {

void put_expansion(Json& to, const Expansion& expansion) {
  to = Json::object();
  add_key(to, "particles") = expansion.particles;
  put_columns_of(add_key(to, "basis"), expansion.basis);
  put_columns_of(add_key(to, "rows"), expansion.rows);
  put_columns_of(add_key(to, "alpha"), expansion.alpha);
}

Expansion expansion_of(const Reader& in, const Model& model) {
  Expansion expansion;
  expansion.particles = in.integer("particles", 1, model.W.cols());
  expansion.basis = columns_of(in, "basis", model.n_features());
  expansion.rows = columns_of(in, "rows", 0);
  expansion.alpha = columns_of(in, "alpha", expansion.rows.rows());
  return expansion;
}

void put_particle(Json& to, const Model& model, Index j) {
  to = Json::object();
  put_numbers(add_key(to, "direction"), model.W.col(j).data(), model.W.rows());
  if (!model.expansions.empty()) return;
  const RidgeFunction& h = model.functions[j];
  put_numbers(add_key(to, "knots"), h.knots.data(), h.knots.size());
  Json& values = add_key(to, "values") = Json::array();
  for (Index k = 0; k < h.values.cols(); ++k) {
    put_numbers(add_element(values), h.values.col(k).data(), h.values.rows());
  }
}

void put_calibration(Json& to, const Calibration& calibration) {
  to = Json::object();
  add_key(to, "method") = calibration.method;
  Json& parts = add_key(to, "parts") = Json::array();
  for (const CalibrationPart& part : calibration.parts) {
    Json& object = add_element(parts) = Json::object();
    if (part.model) put_model(add_key(object, "model"), *part.model);
    Json& errors = add_key(object, "errors") = Json::array();
    for (const HeldOutErrors& one : part.errors) {
      Json& output = add_element(errors) = Json::object();
      put_numbers(add_key(output, "sizes"), one.sizes.data(), one.sizes.size());
      put_numbers(add_key(output, "counts"), one.counts.data(), one.counts.size());
    }
  }
}

// Sizes are compared before anything is allocated by them.
void read_particle(const Json& json, const std::string& where, Index j, bool expanded,
                   Model& model) {
  const Index outputs = model.n_outputs();
  const Reader in(json, where);
  const Vector direction = in.vector("direction");
  if (direction.size() != model.n_features()) {
    in.fail("direction", "must have one number per variable");
  }
  model.W.col(j) = direction;
  if (expanded) return;
  RidgeFunction& h = model.functions[j];
  h.knots = in.vector("knots");
  const Json& values = in.at("values");
  if (!values.is_array() || static_cast<Index>(values.size()) != outputs) {
    in.fail("values", "must be one array per output");
  }
  h.values.resize(h.knots.size(), outputs);
  for (Index k = 0; k < outputs; ++k) {
    const Vector column = to_vector(values[k], in.path("values"));
    if (column.size() != h.knots.size()) in.fail("values", "must have one number per knot");
    h.values.col(k) = column;
  }
}

const Json& array_of(const Reader& in, const char* key) {
  const Json& array = in.at(key);
  if (!array.is_array()) in.fail(key, "must be an array");
  return array;
}

void read_expansions(const Reader& in, Model& model) {
  for (const Json& one : array_of(in, "expansions"))
    model.expansions.push_back(expansion_of({one, in.path("expansions")}, model));
  model.follow_expansions();
}

std::shared_ptr<const Calibration> calibration_of(const Reader& in) {
  auto calibration = std::make_shared<Calibration>();
  calibration->method = in.text("method");
  for (const Json& one : array_of(in, "parts")) {
    const Reader part(one, in.path("parts"));
    CalibrationPart& to = calibration->parts.emplace_back();
    if (part.has("model")) to.model = model_of(part.object("model"), true);
    for (const Json& output : array_of(part, "errors")) {
      const Reader errors(output, part.path("errors"));
      to.errors.push_back({errors.vector("sizes"), errors.vector("counts")});
    }
  }
  return calibration;
}

}  // namespace

void put_model(Json& to, const Model& model) {
  to = Json::object();
  add_key(to, "kernel") = model.kernel;
  add_key(to, "loss") = model.loss;
  add_key(to, "penalty") = model.penalty;
  add_key(to, "n_particles") = model.n_particles;
  put_value(add_key(to, "feature_names"), model.feature_names);
  if (!model.encoder.empty()) put_columns(add_key(to, "columns"), model.encoder);
  put_value(add_key(to, "class_names"), model.class_names);
  put_value(add_key(to, "center"), model.center);
  put_value(add_key(to, "scale"), model.scale);
  put_value(add_key(to, "intercept"), model.intercept);
  Json& particles = add_key(to, "particles") = Json::array();
  for (Index j = 0; j < model.W.cols(); ++j) put_particle(add_element(particles), model, j);
  if (!model.expansions.empty()) {
    Json& expansions = add_key(to, "expansions") = Json::array();
    for (const Expansion& one : model.expansions) put_expansion(add_element(expansions), one);
  }
  if (!model.quantiles.empty()) put_value(add_key(to, "quantiles"), model.quantiles);
  if (model.tolerance.size() > 0) put_value(add_key(to, "tolerance"), model.tolerance);
  if (model.counted) {
    Json& counted = add_key(to, "counted") = Json::object();
    add_key(counted, "directions") = model.counted->directions;
    add_key(counted, "variables") = model.counted->variables;
  }
  if (model.calibration != nullptr) put_calibration(add_key(to, "calibration"), *model.calibration);
}

Model model_of(const Reader& in, bool of_fold) {
  Model model;
  model.kernel = in.text("kernel");
  model.loss = in.text("loss");
  model.penalty = in.text("penalty");
  model.n_particles = in.integer("n_particles", 0, Index{1} << 40);
  model.feature_names = in.texts("feature_names");
  if (in.has("columns")) model.encoder = encoder_of(in);
  model.class_names = in.texts("class_names");
  model.center = in.vector("center");
  model.scale = in.vector("scale");
  model.intercept = in.vector("intercept");
  const Json& particles = in.at("particles");
  if (!particles.is_array()) in.fail("particles", "must be an array");
  // A particle is at least as long as the center: what is allocated here is in the file or an
  // error.
  for (const Json& one : particles) {
    if (!one.is_object() || !one.contains("direction") ||
        static_cast<Index>(one["direction"].size()) != model.n_features()) {
      in.fail("particles", "each must have a direction with one number per variable");
    }
  }
  const auto count = static_cast<Index>(particles.size());
  model.W.resize(model.n_features(), count);
  model.functions.resize(particles.size());
  for (Index j = 0; j < count; ++j) {
    read_particle(particles[j], in.path("particles") + "[" + std::to_string(j) + "]", j,
                  in.has("expansions"), model);
  }
  if (in.has("expansions")) read_expansions(in, model);
  if (in.has("quantiles")) read_value(in, "quantiles", model.quantiles);
  if (in.has("tolerance")) read_value(in, "tolerance", model.tolerance);
  if (in.has("counted")) {
    const Reader counted = in.object("counted");
    model.counted = {counted.integer("directions", 0, std::min(count, model.n_features())),
                     counted.integer("variables", 0, model.n_columns())};
  }
  if (in.has("calibration") && !of_fold)
    model.calibration = calibration_of(in.object("calibration"));
  return model;
}

}  // namespace bkernn
