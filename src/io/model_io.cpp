#include "base/utf8.hpp"
#include "bkernn/io.hpp"
#include "io/document.hpp"
#include "io/document_fields.hpp"
#include "io/fingerprint_json.hpp"
#include "io/model_json.hpp"

namespace bkernn {
namespace {

constexpr const char* kModelFormat = "bkernn-model";
constexpr int kModelMajor = 3, kModelMinor = 0;
// Of a file without curves (columns.hpp), which programs before 3.0 read as well.
constexpr int kPlainMajor = 2, kPlainMinor = 2;

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
  const bool bends = saved.model.encoder.bends();
  put_format(to, kModelFormat, bends ? kModelMajor : kPlainMajor, bends ? kModelMinor : kPlainMinor,
             saved.library_version);
  put_model(add_key(to, "model"), saved.model);
  put_value(add_key(to, "target_names"), saved.target_names);
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
