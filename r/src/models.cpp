// Predictions, descriptions and files of models.
#include "bkernn/bkernn.hpp"
#include "entries.hpp"
#include "rows.hpp"
#include "saved.hpp"

namespace bkernn::r {
namespace {

SEXP predict(SEXP given, SEXP new_rows, const std::string& type, double level, int threads) {
  const auto saved = saved_of(given);
  const Model& model = saved->model;
  const Rows rows(new_rows);
  if (type == "coordinates") return to_r(model.predict(rows.view(), threads));
  Matrix encoded;
  const bool plain = model.encoder.empty() && !rows.words();
  if (!plain) encoded = model.encode(rows.mixed());
  if (type == "encoded") return to_r(plain ? Matrix(rows.view()) : encoded);
  const MatrixView X = plain ? MatrixView(rows.view()) : MatrixView(encoded);
  if (type == "link") return to_r(model.predict(X, threads));
  if (type == "response") return to_r(model.predict_response(X, threads));
  if (type == "set") return to_r(model.predict_set(X, level, threads));
  const Intervals found = model.predict_interval(X, level, threads);
  List out(3);
  out.add("fit", model.predict_response(X, threads));
  out.add("lower", found.lower);
  out.add("upper", found.upper);
  return out.get();
}

SEXP describe_report(const FitReport& report) {
  List out(10);
  out.add("termination", describe(report.termination));
  out.add("converged", report.converged());
  out.add("warning", report.warning());
  out.add("inner_converged", report.inner_converged);
  out.add("inner_residual", report.inner_residual);
  out.add("objective", report.objective);
  out.add("iterations", static_cast<int>(report.iterations.size()));
  out.add("rows", report.rows);
  out.add("seconds", report.seconds);
  out.add("choice", report.race.empty() ? std::string() : report.race.brief());
  return out.get();
}

// The first and the last knot of each function, 2 × particles.
Matrix knot_ends(const Model& model) {
  Matrix ends(2, static_cast<Index>(model.functions.size()));
  for (Index j = 0; j < ends.cols(); ++j) {
    const Vector& knots = model.functions[j].knots;
    ends.col(j) << knots(0), knots(knots.size() - 1);
  }
  return ends;
}

// One for each output, if they are quantiles.
std::vector<double> quantiles(const SavedModel& saved) {
  if (!saved.model.quantiles.empty()) return saved.model.quantiles;
  const std::optional<double> level =
      make_loss(saved.model.loss, saved.options.loss_parameters)->quantile();
  return level ? std::vector<double>{*level} : std::vector<double>{};
}

// Which columns they are, from one.
std::vector<int> categories(const Encoder& encoder) {
  std::vector<int> found;
  for (Index a = 0; a < encoder.size(); ++a)
    if (encoder.columns[a].category) found.push_back(static_cast<int>(a) + 1);
  return found;
}

SEXP describe_model(SEXP given) {
  const auto saved = saved_of(given);
  const Model& model = saved->model;
  List out(25);
  out.add("kernel", model.kernel);
  out.add("loss", model.loss);
  out.add("penalty", model.penalty);
  out.add("regularization", saved->regularization);
  out.add("n_particles", model.n_particles);
  out.add("n_columns", model.n_columns());
  out.add("center", Vector(model.center));
  out.add("scale", Vector(model.scale));
  out.add("W", model.W);
  out.add("knot_ends", knot_ends(model));
  out.add("intercept", Vector(model.intercept));
  out.add("names", model.feature_names);
  out.add("coordinates", model.coordinate_names());
  out.add("classes", model.class_names);
  out.add("targets", saved->target_names);
  out.add("quantiles", quantiles(*saved));
  out.add("categories", categories(model.encoder));
  out.add("importances", model.importances());
  out.add("singular_values", model.singular_values());
  out.add("selects_variables", model.selects_variables());
  out.add("dimension", model.dimension());
  out.add("rank", model.rank());
  out.add("calibrated", model.calibration != nullptr);
  out.add("seed", static_cast<double>(saved->options.seed));
  out.add("report", describe_report(saved->report));
  return out.get();
}

}  // namespace
}  // namespace bkernn::r

using bkernn::r::guarded;
using bkernn::r::number;
using bkernn::r::saved_of;
using bkernn::r::text;

extern "C" {

SEXP bkernn_predict(SEXP model, SEXP rows, SEXP type, SEXP level, SEXP threads) {
  return guarded([&] {
    return bkernn::r::predict(model, rows, text(type), number(level), Rf_asInteger(threads));
  });
}

SEXP bkernn_describe(SEXP model) {
  return guarded([&] { return bkernn::r::describe_model(model); });
}

SEXP bkernn_directions(SEXP model, SEXP k) {
  return guarded([&] {
    const auto count = static_cast<bkernn::Index>(number(k));
    return bkernn::r::to_r(saved_of(model)->model.directions(count));
  });
}

SEXP bkernn_read(SEXP path) {
  return guarded([&] { return bkernn::r::to_r(bkernn::load_model(text(path))); });
}

SEXP bkernn_write(SEXP model, SEXP path) {
  return guarded([&] {
    bkernn::save_model(*saved_of(model), text(path), bkernn::Numbers::exact);
    return R_NilValue;
  });
}

}  // extern "C"
