// Rows in several places; bkernn.dask carries the questions.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/distributed.hpp"
#include "python_observer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::FitOptions;
using bkernn::FitState;
using bkernn::Index;
using bkernn::MatrixView;
using bkernn::Message;
using bkernn::RowShard;
using bkernn::Vector;

void bind_distributed(nb::module_& m) {
  nb::class_<RowShard>(m, "RowShard", "The rows of one place.")
      .def(
          "__init__",
          [](RowShard* self, const MatrixView& X, const MatrixView& Y,
             const std::optional<Vector>& weights, const FitOptions& options, Index index) {
            const nb::gil_scoped_release release;
            new (self) RowShard(X, Y, weights.value_or(Vector()), options, index);
          },
          "X"_a, "Y"_a, "weights"_a.none(), "options"_a, "index"_a)
      .def(
          "answer",
          [](RowShard& self, const std::string& question, const Message& argument) {
            const nb::gil_scoped_release release;
            return self.answer(question, argument);
          },
          "question"_a, "argument"_a);
  nb::class_<FitState>(m, "FitState", "All that a fit needs in order to go on.")
      .def_prop_ro("iteration", &FitState::iteration);
  m.def(
      "fit_distributed",
      [](const nb::callable& ask, const FitOptions& options, std::optional<MatrixView> validation_X,
         std::optional<MatrixView> validation_Y, nb::object progress, nb::object keep,
         const FitState* resume, const bkernn::Encoder* encoder) {
        bkernn::DistributedInput input;
        input.ask = [&ask](const std::string& question, const Message& argument) {
          const nb::gil_scoped_acquire acquire;
          return nb::cast<std::vector<Message>>(ask(question, argument));
        };
        if (validation_X) input.validation_X = &*validation_X;
        if (validation_Y) input.validation_Y = &*validation_Y;
        input.resume = resume;
        input.encoder = encoder;
        PythonObserver observer(std::move(progress), std::move(keep));
        const nb::gil_scoped_release release;
        return bkernn::fit_distributed(input, options, &observer);
      },
      "ask"_a, "options"_a, "validation_X"_a = nb::none(), "validation_Y"_a = nb::none(),
      "progress"_a = nb::none(), "keep"_a = nb::none(), "resume"_a = nb::none(),
      "encoder"_a = nb::none());
}
