#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/utf8.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/io.hpp"
#include "io/document.hpp"
#include "io/document_fields.hpp"
#include "io/fingerprint_json.hpp"

namespace bkernn {
namespace {

constexpr const char* kModelFormat = "bkernn-model";
constexpr int kModelMajor = 2, kModelMinor = 2;

constexpr std::array<std::pair<Termination, const char*>, 6> kTerminations = {{
    {Termination::converged, "converged"},
    {Termination::max_iterations, "max_iterations"},
    {Termination::stalled, "stalled"},
    {Termination::trivial, "trivial"},
    {Termination::early_stopped, "early_stopped"},
    {Termination::stopped, "stopped"},
}};

void put_texts(Json& to, const std::vector<std::string>& texts) {
  to = Json::array();
  for (const std::string& text : texts) add_element(to) = text;
}

void put_columns(Json& to, const Encoder& encoder) {
  to = Json::array();
  for (const EncodedColumn& column : encoder.columns) {
    Json& one = add_element(to) = Json::object();
    add_key(one, "kind") = column.category ? "category" : "number";
    if (column.category) {
      put_texts(add_key(one, "levels"), column.levels);
      put_numbers(add_key(one, "shares"), column.shares.data(),
                  static_cast<Index>(column.shares.size()));
      add_key(one, "other") = number(column.other);
    } else {
      add_key(one, "mean") = number(column.mean);
    }
    add_key(one, "gaps") = number(column.gaps);
  }
}

EncodedColumn column_of(const Reader& in) {
  EncodedColumn column;
  const std::string kind = in.text("kind");
  if (kind != "category" && kind != "number") in.fail("kind", "must be number or category");
  column.category = kind == "category";
  if (column.category) {
    column.levels = in.texts("levels");
    const Vector shares = in.vector("shares");
    column.shares.assign(shares.begin(), shares.end());
    column.other = in.real("other");
  } else {
    column.mean = in.real("mean");
  }
  column.gaps = in.real("gaps");
  return column;
}

Encoder encoder_of(const Reader& in) {
  const Json& columns = in.at("columns");
  if (!columns.is_array() || columns.empty()) in.fail("columns", "must be an array of columns");
  Encoder encoder;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    encoder.columns.push_back(
        column_of({columns[a], in.path("columns") + "[" + std::to_string(a) + "]"}));
  }
  return encoder;
}

// The largest power of two that all these numbers are multiples of, if it makes them whole numbers
// of 32 bits; else 0.
double unit_of(const Matrix& numbers) {
  constexpr double kMostWhole = 2147483647;
  int exponent = std::numeric_limits<int>::max();
  for (const double value : numbers.reshaped()) {
    if (value == 0) continue;
    int own = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &own), 53));
    exponent = std::min(exponent, own - 53 + std::countr_zero(static_cast<std::uint64_t>(digits)));
  }
  if (exponent == std::numeric_limits<int>::max()) return 1;
  const double unit = std::ldexp(1.0, exponent);
  return unit > 0 && numbers.cwiseAbs().maxCoeff() / unit <= kMostWhole ? unit : 0;
}

// Column by column, as whole multiples of a unit where they are such.
void put_columns_of(Json& to, const Matrix& numbers) {
  const double unit = unit_of(numbers);
  to = Json::object();
  if (unit > 0) add_key(to, "unit") = unit;
  Json& columns = add_key(to, "values") = Json::array();
  for (const auto column : numbers.colwise()) {
    Json& one = add_element(columns);
    if (unit > 0) {
      const Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1> whole =
          (column / unit).template cast<std::int64_t>();
      one = Json::array();
      one.get_ref<Json::array_t&>().assign(whole.begin(), whole.end());
    } else {
      const Vector values = column;
      put_numbers(one, values.data(), values.size());
    }
  }
}

Matrix columns_of(const Reader& in, const char* key, Index rows) {
  const Reader inside = in.object(key);
  const double unit = inside.has("unit") ? inside.real("unit") : 1.0;
  if (!(unit > 0)) inside.fail("unit", "must be positive");
  const Json& columns = inside.at("values");
  if (!columns.is_array() || columns.empty() || !columns[0].is_array())
    inside.fail("values", "must be an array of columns");
  if (rows == 0) rows = static_cast<Index>(columns[0].size());
  for (const Json& one : columns) {
    if (static_cast<Index>(one.size()) != rows || rows == 0)
      inside.fail("values", "every column must have one number per row");
  }
  Matrix numbers(rows, static_cast<Index>(columns.size()));
  for (Index k = 0; k < numbers.cols(); ++k)
    numbers.col(k) = unit * to_vector(columns[k], inside.path("values"));
  return numbers;
}

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

void put_calibration(Json& to, const Calibration& calibration);

void put_model(Json& to, const Model& model) {
  to = Json::object();
  add_key(to, "kernel") = model.kernel;
  add_key(to, "loss") = model.loss;
  add_key(to, "penalty") = model.penalty;
  add_key(to, "n_particles") = model.n_particles;
  put_texts(add_key(to, "feature_names"), model.feature_names);
  if (!model.encoder.empty()) put_columns(add_key(to, "columns"), model.encoder);
  put_texts(add_key(to, "class_names"), model.class_names);
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

std::shared_ptr<const Calibration> calibration_of(const Reader& in);

Model model_of(const Reader& in, bool of_fold = false) {
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

void put_scores(Json& to, const Scores& scores) {
  to = Json::object();
  for (const auto& [rows, by_name] : scores) {
    Json& object = add_key(to, rows) = Json::object();
    for (const auto& [name, value] : by_name) add_key(object, name) = number(value);
  }
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

void put_saved_model(Json& to, const SavedModel& saved) {
  saved.model.validate();
  put_format(to, kModelFormat, kModelMajor, kModelMinor, saved.library_version);
  put_model(add_key(to, "model"), saved.model);
  put_texts(add_key(to, "target_names"), saved.target_names);
  put_object(add_key(to, "options"), saved.options);
  add_key(to, "regularization") = number(saved.regularization);
  put_fingerprint(add_key(to, "data"), saved.data);
  put_scores(add_key(to, "scores"), saved.scores);
  put_object(add_key(to, "training"), saved.report);
}

SavedModel saved_model_of(const Json& document) {
  check_format(document, kModelFormat, kModelMajor);
  const Reader in(document, "");
  SavedModel saved;
  saved.library_version = in.text("library_version");
  saved.model = model_of(in.object("model"));
  saved.model.validate();
  saved.target_names = in.texts("target_names");
  const std::size_t targets =
      saved.model.n_classes() > 0 ? 1 : static_cast<std::size_t>(saved.model.n_outputs());
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

Document checked_document(const SavedModel& saved) {
  require_utf8(saved.model.feature_names, "feature_names");
  require_utf8(saved.model.class_names, "class_names");
  require_utf8(saved.target_names, "target_names");
  for (const EncodedColumn& column : saved.model.encoder.columns)
    require_utf8(column.levels, "levels");
  Document document;
  put_saved_model(document.json, saved);
  seal(document.json);
  return document;
}

}  // namespace

void put_value(Json& to, Termination value) {
  to = "stopped";
  for (const auto& [termination, name] : kTerminations) {
    if (termination == value) to = name;
  }
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

void read_value(const Reader& in, const char* key, Race& to) {
  if (!in.has(key)) return;
  to = from_object<Race>(in.object(key), true);
  if (to.empty() || to.best >= static_cast<int>(to.points.size()))
    in.fail(key, "must have points, the best one among them");
}

void save_model(const SavedModel& model, const std::string& path, Numbers numbers) {
  encoding_of(path);
  if (numbers == Numbers::exact || model.model.tolerance.size() == 0)
    return write_document(checked_document(model).json, path);
  model.model.validate();
  SavedModel smaller = model;
  smaller.model = model.model.for_file();
  write_document(checked_document(smaller).json, path);
}

SavedModel load_model(const std::string& path) {
  return read_model(read_document(path).json, path);
}

std::string model_to_json(const SavedModel& model, bool indent) {
  return encode(checked_document(model).json, Encoding::json, indent);
}

SavedModel model_from_json(const std::string& text) {
  return read_model(decode(text, Encoding::json, "model").json, "model");
}

std::string model_to_cbor(const SavedModel& model) {
  return encode(checked_document(model).json, Encoding::cbor);
}

SavedModel model_from_cbor(const std::string& bytes) {
  return read_model(decode(bytes, Encoding::cbor, "model").json, "model");
}

}  // namespace bkernn
