// Model files, shared with the command-line tool.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/export.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/io.hpp"
#include "model_state.hpp"
#include "report/report_page.hpp"
#include "report/stability.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::DataFingerprint;
using bkernn::Index;
using bkernn::Model;
using bkernn::SavedModel;

namespace {

// A pickle holds the model as arrays and all the rest as the text of a model file in which the
// model is a constant.
nb::dict saved_state(const SavedModel& self) {
  SavedModel rest = self;
  rest.model.functions.clear();
  rest.model.expansions.clear();
  rest.model.W.resize(rest.model.n_features(), 0);
  rest.model.counted.reset();
  rest.model.calibration.reset();
  nb::dict state;
  state["model"] = model_state(self.model);
  state["rest"] = bkernn::model_to_json(rest);
  return state;
}

SavedModel saved_from_state(const nb::dict& state) {
  SavedModel saved = bkernn::model_from_json(nb::cast<std::string>(state["rest"]));
  saved.model = model_from_state(nb::cast<nb::dict>(state["model"]));
  return saved;
}

}  // namespace

void bind_io(nb::module_& m) {
  nb::class_<DataFingerprint>(m, "DataFingerprint", "Which rows a model comes from.")
      .def(
          "__init__",
          [](DataFingerprint* self, Index rows, Index columns, Index outputs) {
            new (self) DataFingerprint{.rows = rows, .columns = columns, .outputs = outputs};
          },
          "rows"_a, "columns"_a, "outputs"_a, "Of rows that are not here: their hash is 0.");
  m.def("fingerprint", &bkernn::fingerprint, "X"_a, "Y"_a);
  nb::class_<SavedModel>(m, "SavedModel", "A model and where it comes from.")
      .def(
          "__init__",
          [](SavedModel* self, bkernn::FitResult& result, const bkernn::FitOptions& options,
             const DataFingerprint& data, std::vector<std::string> feature_names,
             std::vector<std::string> class_names, std::vector<std::string> target_names) {
            SavedModel saved{.model = std::move(result.model),
                             .target_names = std::move(target_names),
                             .options = options,
                             .regularization = result.regularization,
                             .report = result.report,
                             .data = data};
            saved.options.init.resize(0, 0);
            saved.model.feature_names = std::move(feature_names);
            saved.model.class_names = std::move(class_names);
            new (self) SavedModel(std::move(saved));
          },
          "result"_a, "options"_a, "data"_a, "feature_names"_a, "class_names"_a, "target_names"_a,
          "Takes the model of the result, which has none afterwards.")
      .def(
          "compress",
          [](const SavedModel& self, double tolerance) {
            SavedModel smaller = self;
            smaller.model = self.model.compress(tolerance);
            return smaller;
          },
          "tolerance"_a)
      .def_prop_ro(
          "model", [](SavedModel& self) -> Model& { return self.model; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "report", [](SavedModel& self) -> bkernn::FitReport& { return self.report; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "options", [](SavedModel& self) -> bkernn::FitOptions& { return self.options; },
          nb::rv_policy::reference_internal)
      .def_ro("regularization", &SavedModel::regularization)
      .def_ro("target_names", &SavedModel::target_names)
      .def_rw("scores", &SavedModel::scores)
      .def_ro("library_version", &SavedModel::library_version)
      .def("to_json", &bkernn::model_to_json, "indent"_a = false)
      .def(
          "to_html",
          [](const SavedModel& self, const std::vector<std::string>& names,
             std::optional<bkernn::Matrix> X, std::optional<bkernn::Matrix> Y,
             const std::string& stability) {
            SavedModel named = self;  // as Python names the variables where X had no names
            named.model.feature_names = names;
            std::optional<bkernn::tables::DataSet> data;
            if (X && Y) {
              data.emplace();
              data->X = std::move(*X);
              data->Y = std::move(*Y);
              data->feature_names = names;
              data->target_names = self.target_names;
              data->class_names = self.model.class_names;
            }
            bkernn::report::Json study;
            if (!stability.empty())
              study = bkernn::report::read_stability(stability, "stability", named.model);
            return bkernn::report::report_page(bkernn::report::report_json(
                named, data ? &*data : nullptr, "the rows given", study));
          },
          "feature_names"_a, "X"_a = nb::none(), "Y"_a = nb::none(), "stability"_a = "",
          "The report of the command-line tool.")
      .def("to_c", &bkernn::model_to_c)
      .def(
          "to_onnx",
          [](const SavedModel& self, bool float32) {
            const std::string bytes = bkernn::model_to_onnx(
                self, float32 ? bkernn::OnnxNumbers::float32 : bkernn::OnnxNumbers::float64);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "float32"_a = false)
      .def(
          "save",
          [](const SavedModel& self, const std::string& path, bool compress) {
            using bkernn::Numbers;
            bkernn::save_model(self, path, compress ? Numbers::compressed : Numbers::exact);
          },
          "path"_a, "compress"_a = true)
      .def_static("load", &bkernn::load_model, "path"_a)
      .def_static("from_json", &bkernn::model_from_json, "text"_a)
      .def("__getstate__", &saved_state)
      .def("__setstate__", [](SavedModel& self, const nb::dict& state) {
        new (&self) SavedModel(saved_from_state(state));
      });
}
