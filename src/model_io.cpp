#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include "bkernn/io.hpp"
#include "bkernn/version.hpp"
#include "document.hpp"
#include "document_fields.hpp"
#include "fingerprint_json.hpp"

namespace bkernn {
namespace {

constexpr const char* kFormat = "bkernn-model";
constexpr int kMajor = 1, kMinor = 2;

constexpr std::array<std::pair<Termination, const char*>, 6> kTerminations = {{
    {Termination::converged, "converged"},
    {Termination::max_iterations, "max_iterations"},
    {Termination::stalled, "stalled"},
    {Termination::trivial, "trivial"},
    {Termination::early_stopped, "early_stopped"},
    {Termination::stopped, "stopped"},
}};

Json particle_to_json(const Matrix& W, const RidgeFunction& h, Index j) {
  Json values = Json::array();
  for (Index k = 0; k < h.values.cols(); ++k) {
    values.push_back(numbers(h.values.col(k).data(), h.values.rows()));
  }
  return {{"direction", numbers(W.col(j).data(), W.rows())},
          {"knots", numbers(h.knots.data(), h.knots.size())},
          {"values", std::move(values)}};
}

Json to_json(const Model& model) {
  Json particles = Json::array();
  for (Index j = 0; j < model.W.cols(); ++j) {
    particles.push_back(particle_to_json(model.W, model.functions[j], j));
  }
  Json object = {{"kernel", model.kernel},
                 {"loss", model.loss},
                 {"penalty", model.penalty},
                 {"n_particles", model.n_particles},
                 {"feature_names", model.feature_names},
                 {"class_names", model.class_names},
                 {"center", to_json_value(model.center)},
                 {"scale", to_json_value(model.scale)},
                 {"intercept", to_json_value(model.intercept)}};
  object["particles"] = std::move(particles);
  return object;
}

// Sizes are compared before anything is allocated by them.
void read_particle(const Json& json, const std::string& where, Index j, Index outputs,
                   Model& model) {
  const Reader in(json, where);
  const Vector direction = in.vector("direction");
  if (direction.size() != model.n_features()) {
    in.fail("direction", "must have one number per variable");
  }
  model.W.col(j) = direction;
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

Model model_of(const Reader& in) {
  Model model;
  model.kernel = in.text("kernel");
  model.loss = in.text("loss");
  model.penalty = in.text("penalty");
  model.n_particles = in.integer("n_particles", 0, Index{1} << 40);
  model.feature_names = in.texts("feature_names");
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
                  model.n_outputs(), model);
  }
  return model;
}

Json to_json(const Scores& scores) {
  Json object = Json::object();
  for (const auto& [rows, by_name] : scores) {
    object[rows] = Json::object();
    for (const auto& [name, value] : by_name) object[rows][name] = number(value);
  }
  return object;
}

Scores scores_of(const Reader& in) {
  Scores scores;
  const Json& object = in.at("scores");
  if (!object.is_object()) in.fail("scores", "must be an object");
  for (const auto& item : object.items()) {
    const Reader rows(item.value(), in.path("scores") + "." + item.key());
    for (const auto& score : item.value().items()) {
      scores[item.key()][score.key()] = rows.any_real(score.key().c_str());
    }
  }
  return scores;
}

Json to_json(const SavedModel& saved) {
  saved.model.validate();
  Json document = {
      {"format", kFormat},
      {"version", {kMajor, kMinor}},
      {"library_version", saved.library_version.empty() ? version() : saved.library_version}};
  document["model"] = to_json(saved.model);  // not in the list above, which would copy it
  document["target_names"] = saved.target_names;
  document["options"] = to_object(saved.options);
  document["regularization"] = number(saved.regularization);
  document["data"] = to_json(saved.data);
  document["scores"] = to_json(saved.scores);
  document["training"] = to_object(saved.report);
  return document;
}

SavedModel saved_model_of(const Json& document) {
  check_format(document, kFormat, kMajor);
  const Reader in(document, "");
  SavedModel saved;
  saved.library_version = in.text("library_version");
  saved.model = model_of(in.object("model"));
  saved.model.validate();
  saved.target_names = in.texts("target_names");
  const std::size_t targets =
      saved.model.loss == "multinomial" ? 1 : static_cast<std::size_t>(saved.model.n_outputs());
  if (!saved.target_names.empty() && saved.target_names.size() != targets) {
    in.fail("target_names", "must be empty or one per target");
  }
  saved.options = from_object<FitOptions>(in.object("options"), true);
  saved.options.validate();
  saved.regularization = in.real("regularization");
  saved.data = fingerprint_of(in.object("data"));
  saved.scores = scores_of(in);
  saved.report = from_object<FitReport>(in.object("training"), true);
  check_seal(document);
  return saved;
}

// Reading code says what is wrong; the name of the file is added here.
SavedModel read_model(const Json& document, const std::string& name) {
  try {
    return saved_model_of(document);
  } catch (const Error& error) {
    throw IoError(name + ": " + error.what());
  }
}

void require_utf8(const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names) {
    require(is_utf8(name), what, "\"" + name + "\"", "must be UTF-8 text");
  }
}

Json checked_document(const SavedModel& saved) {
  require_utf8(saved.model.feature_names, "feature_names");
  require_utf8(saved.model.class_names, "class_names");
  require_utf8(saved.target_names, "target_names");
  return sealed(to_json(saved));
}

}  // namespace

Json to_json_value(Termination value) {
  for (const auto& [termination, name] : kTerminations) {
    if (termination == value) return name;
  }
  return "stopped";
}

void read_value(const Reader& in, const char* key, Termination& to) {
  const std::string wanted = in.text(key);
  for (const auto& [termination, name] : kTerminations) {
    if (wanted == name) {
      to = termination;
      return;
    }
  }
  in.fail(key, "\"" + wanted + "\" is not known");
}

Json to_json_value(const std::vector<IterationRecord>& records) {
  Json array = Json::array();
  for (const IterationRecord& record : records) array.push_back(to_object(record));
  return array;
}

void read_value(const Reader& in, const char* key, std::vector<IterationRecord>& to) {
  const Json& array = in.at(key);
  if (!array.is_array()) in.fail(key, "must be an array");
  to.clear();
  for (const Json& one : array) {
    to.push_back(from_object<IterationRecord>(Reader(one, in.path(key)), true));
  }
}

void save_model(const SavedModel& model, const std::string& path) {
  encoding_of(path);
  write_document(checked_document(model), path);
}

SavedModel load_model(const std::string& path) {
  return read_model(read_document(path), path);
}

std::string model_to_json(const SavedModel& model, bool indent) {
  return encode(checked_document(model), Encoding::json, indent);
}

SavedModel model_from_json(const std::string& text) {
  return read_model(decode(text, Encoding::json, "model"), "model");
}

}  // namespace bkernn
