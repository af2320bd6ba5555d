#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "bkernn/bkernn.hpp"
#include "interrupt.hpp"
#include "model_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::Index;
using bkernn::Matrix;
using bkernn::MatrixView;
using bkernn::Model;
using bkernn::RidgeFunction;
using bkernn::Vector;

namespace {

constexpr Index kRowsBetweenChecks = 1 << 17;

// Rows are independent, so a long prediction may be cut, and interrupted in between.
template <class Predict>
Matrix predict_in_parts(const Model& model, const MatrixView& X, const Predict& predict) {
  const nb::gil_scoped_release release;
  Index some = kRowsBetweenChecks;  // more for large functions, which are searched faster for many
  for (const RidgeFunction& h : model.functions) some = std::max(some, h.knots.size() / 4);
  if (X.rows() <= some) return predict(X);
  Matrix all;
  Ticker ticker;
  for (Index begin = 0; begin < X.rows(); begin += some) {
    const Index rows = std::min(some, X.rows() - begin);
    const Matrix part = predict(X.middleRows(begin, rows));
    if (begin == 0) all.resize(X.rows(), part.cols());
    all.middleRows(begin, rows) = part;
    if (ticker.due()) check_signals();
  }
  return all;
}

nb::list calibration_state(const bkernn::Calibration& calibration) {
  nb::list parts;
  for (const bkernn::CalibrationPart& part : calibration.parts) {
    nb::list errors;
    for (const bkernn::HeldOutErrors& one : part.errors)
      errors.append(nb::make_tuple(one.sizes, one.counts));
    parts.append(
        nb::make_tuple(part.model ? nb::object(model_state(*part.model)) : nb::none(), errors));
  }
  return parts;
}

std::shared_ptr<const bkernn::Calibration> calibration_from_state(const std::string& method,
                                                                  const nb::list& parts) {
  auto calibration = std::make_shared<bkernn::Calibration>();
  calibration->method = method;
  for (const nb::handle entry : parts) {
    const auto part = nb::cast<nb::tuple>(entry);
    bkernn::CalibrationPart& to = calibration->parts.emplace_back();
    if (!part[0].is_none()) to.model = model_from_state(nb::cast<nb::dict>(part[0]));
    for (const nb::handle errors : nb::cast<nb::list>(part[1])) {
      const auto one = nb::cast<nb::tuple>(errors);
      to.errors.push_back({nb::cast<Vector>(one[0]), nb::cast<Vector>(one[1])});
    }
  }
  return calibration;
}

// End to end.
void put_functions(const Model& model, nb::dict& state) {
  Index total = 0;
  for (const RidgeFunction& h : model.functions) total += h.knots.size();
  Vector knots(total);
  Matrix values(total, model.n_outputs());
  std::vector<Index> sizes;
  Index at = 0;
  for (const RidgeFunction& h : model.functions) {
    knots.segment(at, h.knots.size()) = h.knots;
    values.middleRows(at, h.knots.size()) = h.values;
    sizes.push_back(h.knots.size());
    at += h.knots.size();
  }
  state["sizes"] = nb::cast(sizes);
  state["knots"] = nb::cast(knots);
  state["values"] = nb::cast(values);
}

void take_functions(const nb::dict& state, Model& model) {
  const auto knots = nb::cast<Vector>(state["knots"]);
  const auto values = nb::cast<Matrix>(state["values"]);
  Index at = 0;
  for (const Index size : nb::cast<std::vector<Index>>(state["sizes"])) {
    bkernn::require(size >= 0 && size <= knots.size() - at && knots.size() == values.rows(),
                    "sizes", size, "must add up to the number of knots and values");
    model.functions.push_back({knots.segment(at, size), values.middleRows(at, size)});
    at += size;
  }
}

void take_expansions(const nb::list& expansions, Model& model) {
  for (const nb::handle entry : expansions) {
    const auto one = nb::cast<nb::tuple>(entry);
    model.expansions.push_back({nb::cast<Index>(one[0]), nb::cast<Matrix>(one[1]),
                                nb::cast<Matrix>(one[2]), nb::cast<Matrix>(one[3])});
  }
  model.follow_expansions();
}

}  // namespace

nb::dict model_state(const Model& model) {
  nb::dict state;
  state["kernel"] = model.kernel;
  state["loss"] = model.loss;
  state["penalty"] = model.penalty;
  state["n_particles"] = model.n_particles;
  state["center"] = nb::cast(model.center);
  state["scale"] = nb::cast(model.scale);
  state["W"] = nb::cast(model.W);
  state["intercept"] = nb::cast(model.intercept);
  if (model.expansions.empty()) {
    put_functions(model, state);
  } else {
    nb::list expansions;
    for (const bkernn::Expansion& one : model.expansions)
      expansions.append(nb::make_tuple(one.particles, one.basis, one.rows, one.alpha));
    state["expansions"] = expansions;
  }
  state["feature_names"] = nb::cast(model.feature_names);
  if (!model.encoder.empty()) state["columns"] = encoder_state(model.encoder);
  state["class_names"] = nb::cast(model.class_names);
  state["quantiles"] = nb::cast(model.quantiles);
  if (model.tolerance.size() > 0) state["tolerance"] = nb::cast(model.tolerance);
  if (model.counted)
    state["counted"] =
        nb::cast(std::vector<Index>{model.counted->directions, model.counted->variables});
  if (model.calibration != nullptr) {
    state["intervals"] = model.calibration->method;
    state["calibration"] = calibration_state(*model.calibration);
  }
  return state;
}

Model model_from_state(const nb::dict& state) {
  const auto text = [&](const char* key) { return nb::cast<std::string>(state[key]); };
  Model model;
  model.kernel = text("kernel");
  model.loss = text("loss");
  model.penalty = text("penalty");
  model.n_particles = nb::cast<Index>(state["n_particles"]);
  model.center = nb::cast<bkernn::RowVector>(state["center"]);
  model.scale = nb::cast<bkernn::RowVector>(state["scale"]);
  model.W = nb::cast<Matrix>(state["W"]);
  model.intercept = nb::cast<bkernn::RowVector>(state["intercept"]);
  if (state.contains("expansions")) {
    take_expansions(nb::cast<nb::list>(state["expansions"]), model);
  } else {
    take_functions(state, model);
  }
  model.feature_names = nb::cast<std::vector<std::string>>(state["feature_names"]);
  if (state.contains("columns")) model.encoder = encoder_from_state(state["columns"]);
  model.class_names = nb::cast<std::vector<std::string>>(state["class_names"]);
  if (state.contains("quantiles"))
    model.quantiles = nb::cast<std::vector<double>>(state["quantiles"]);
  if (state.contains("tolerance"))
    model.tolerance = nb::cast<bkernn::RowVector>(state["tolerance"]);
  if (state.contains("counted")) {
    const auto counted = nb::cast<std::vector<Index>>(state["counted"]);
    model.counted = {counted.at(0), counted.at(1)};
  }
  if (state.contains("calibration"))
    model.calibration =
        calibration_from_state(text("intervals"), nb::cast<nb::list>(state["calibration"]));
  model.validate();
  return model;
}

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model", "A fitted model: plain data, prediction and explanation.")
      .def(
          "predict",
          [](const Model& self, const MatrixView& X, int n_threads) {
            return predict_in_parts(
                self, X, [&](const MatrixView& part) { return self.predict(part, n_threads); });
          },
          "X"_a, "n_threads"_a = 0)
      .def(
          "predict_response",
          [](const Model& self, const MatrixView& X, int n_threads) {
            return predict_in_parts(self, X, [&](const MatrixView& part) {
              return self.predict_response(part, n_threads);
            });
          },
          "X"_a, "n_threads"_a = 0)
      .def(
          "predict_interval",
          [](const Model& self, const MatrixView& X, double coverage, int n_threads) {
            const Matrix ends = predict_in_parts(self, X, [&](const MatrixView& part) {
              const bkernn::Intervals found = self.predict_interval(part, coverage, n_threads);
              Matrix both(part.rows(), 2 * found.lower.cols());
              both << found.lower, found.upper;
              return both;
            });
            const Index q = self.n_outputs();
            return nb::make_tuple(Matrix(ends.leftCols(q)), Matrix(ends.rightCols(q)));
          },
          "X"_a, "coverage"_a = 0.9, "n_threads"_a = 0, "The lower and the upper ends.")
      .def(
          "predict_set",
          [](const Model& self, const MatrixView& X, double coverage, int n_threads) {
            return predict_in_parts(self, X, [&](const MatrixView& part) {
              return self.predict_set(part, coverage, n_threads);
            });
          },
          "X"_a, "coverage"_a = 0.9, "n_threads"_a = 0, "1 for the classes of each set.")
      .def("selects_variables", &Model::selects_variables)
      .def("importances", &Model::importances)
      .def("coordinate_names", &Model::coordinate_names)
      .def("level_effects", &Model::level_effects, "column"_a)
      .def("singular_values", &Model::singular_values)
      .def("dimension", nb::overload_cast<>(&Model::dimension, nb::const_))
      .def("n_directions", &Model::n_directions)
      .def("n_variables", &Model::n_variables)
      .def("directions", &Model::directions, "k"_a)
      .def("weights_in_original_units", &Model::weights_in_original_units)
      .def(
          "function",
          [](const Model& self, Index j) {
            bkernn::require(j >= 0 && j < static_cast<Index>(self.functions.size()), "j", j,
                            "must be the index of an active particle");
            const RidgeFunction& h = self.functions[static_cast<std::size_t>(j)];
            return nb::make_tuple(h.knots, h.values);
          },
          "j"_a)
      .def(
          "evaluate",
          [](const Model& self, Index j, const Vector& p) { return self.evaluate(j, p); }, "j"_a,
          "p"_a, "h_j at the projections p, one column per output.")
      .def_prop_ro("kernel", [](const Model& self) { return self.kernel; })
      .def_prop_ro("loss", [](const Model& self) { return self.loss; })
      .def_prop_ro("penalty", [](const Model& self) { return self.penalty; })
      .def_prop_ro("quantiles", [](const Model& self) { return self.quantiles; })
      .def_prop_ro(
          "intervals",
          [](const Model& self) { return self.calibration ? self.calibration->method : "none"; },
          "What intervals are made from.")
      .def_prop_ro("n_particles", [](const Model& self) { return self.n_particles; })
      .def_prop_ro("n_features", &Model::n_features)
      .def_prop_ro("n_columns", &Model::n_columns)
      .def_prop_ro("n_outputs", &Model::n_outputs)
      .def_prop_ro("encoder", [](const Model& self) { return self.encoder; })
      .def_prop_ro("n_classes", &Model::n_classes)
      .def_prop_ro("center", [](const Model& self) { return Vector(self.center.transpose()); })
      .def_prop_ro("scale", [](const Model& self) { return Vector(self.scale.transpose()); })
      .def_prop_ro("W", [](const Model& self) { return Matrix(self.W); })
      .def_prop_ro("intercept",
                   [](const Model& self) { return Vector(self.intercept.transpose()); })
      .def_rw("feature_names", &Model::feature_names)
      .def_rw("class_names", &Model::class_names)
      .def("__getstate__", &model_state)
      .def("__setstate__",
           [](Model& self, const nb::dict& state) { new (&self) Model(model_from_state(state)); });
}
