#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/bkernn.hpp"
#include "python_observer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::FitInput;
using bkernn::FitOptions;
using bkernn::FitReport;
using bkernn::FitResult;
using bkernn::IterationRecord;
using bkernn::Matrix;
using bkernn::MatrixView;
using bkernn::Race;
using bkernn::RacePoint;
using bkernn::Vector;

namespace {

// Holds the matrices that FitInput only points to.
struct Input {
  Input(const MatrixView& X, const MatrixView& Y, std::optional<Vector> w,
        std::optional<MatrixView> X_validation, std::optional<MatrixView> Y_validation,
        const bkernn::Encoder* encoder = nullptr)
      : weights(std::move(w)),
        validation_X(X_validation),
        validation_Y(Y_validation),
        input{.X = X, .Y = Y} {
    input.encoder = encoder;
    if (weights) input.weights = &*weights;
    if (validation_X) input.validation_X = &*validation_X;
    if (validation_Y) input.validation_Y = &*validation_Y;
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::optional<Vector> weights;
  std::optional<MatrixView> validation_X, validation_Y;
  FitInput input;
};

using Numbers = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>;

Numbers numbers(const std::vector<bkernn::Index>& rows) {
  return Eigen::Map<const Eigen::Matrix<bkernn::Index, Eigen::Dynamic, 1>>(
             rows.data(), static_cast<bkernn::Index>(rows.size()))
      .cast<std::int64_t>();
}

template <class Member>
auto column(Member member) {
  return [member](const FitReport& report) {
    Vector values(static_cast<bkernn::Index>(report.iterations.size()));
    for (std::size_t i = 0; i < report.iterations.size(); ++i) {
      values(static_cast<bkernn::Index>(i)) = static_cast<double>(report.iterations[i].*member);
    }
    return values;
  };
}

void bind_results(nb::module_& m) {
  nb::class_<RacePoint>(m, "RacePoint", "A penalty and a strength tried on held-out rows.")
      .def_ro("penalty", &RacePoint::penalty)
      .def_ro("ranks", &RacePoint::ranks)
      .def_ro("regularization", &RacePoint::regularization)
      .def_ro("loss", &RacePoint::loss)
      .def_ro("error", &RacePoint::error)
      .def_ro("dropped", &RacePoint::dropped);
  nb::class_<Race>(m, "Race", "How strength and penalty were chosen, if they were open.")
      .def_prop_ro("points", [](const Race& r) { return r.points; })
      .def_ro("best", &Race::best)
      .def_ro("constant", &Race::constant)
      .def_ro("constant_loss", &Race::constant_loss)
      .def_ro("rows", &Race::rows)
      .def("brief", &Race::brief);
  nb::class_<FitReport>(m, "FitReport", "What happened during a fit.")
      .def_prop_ro("termination",
                   [](const FitReport& r) { return bkernn::describe(r.termination); })
      .def_prop_ro("converged", &FitReport::converged)
      .def_prop_ro("warning", &FitReport::warning)
      .def_ro("promised_decrease", &FitReport::promised_decrease)
      .def_ro("models", &FitReport::models)
      .def_ro("objective", &FitReport::objective)
      .def_ro("initial_objective", &FitReport::initial_objective)
      .def_ro("evaluations", &FitReport::evaluations)
      .def_ro("inner_iterations", &FitReport::inner_iterations)
      .def_ro("inner_converged", &FitReport::inner_converged)
      .def_ro("inner_residual", &FitReport::inner_residual)
      .def_ro("seconds", &FitReport::seconds)
      .def_ro("optimizer", &FitReport::optimizer)
      .def_ro("inner_solver", &FitReport::inner_solver)
      .def_ro("kernel_operator", &FitReport::kernel_operator)
      .def_ro("knots", &FitReport::knots)
      .def_ro("coarse_unknowns", &FitReport::coarse_unknowns)
      .def_ro("rows", &FitReport::rows)
      .def_prop_ro("stages", &FitReport::stages)
      .def_prop_ro("objectives", column(&IterationRecord::objective))
      .def_prop_ro("validation_losses", column(&IterationRecord::validation))
      .def_ro("race", &FitReport::race)
      .def_ro("refit", &FitReport::refit)
      .def("brief", &FitReport::brief);
  nb::class_<FitResult>(m, "FitResult", "A model and how it was found.")
      .def_ro("model", &FitResult::model)
      .def_ro("report", &FitResult::report)
      .def_ro("regularization", &FitResult::regularization)
      .def_prop_ro("W", [](const FitResult& r) { return Matrix(r.W); })
      .def_prop_ro("alpha", [](const FitResult& r) { return Matrix(r.alpha); })
      .def_prop_ro("intercept", [](const FitResult& r) { return Vector(r.intercept.transpose()); });
}

}  // namespace

void bind_fit(nb::module_& m) {
  bind_results(m);
  m.def(
      "fit",
      [](const MatrixView& X, const MatrixView& Y, const FitOptions& options,
         std::optional<Vector> weights, std::optional<MatrixView> validation_X,
         std::optional<MatrixView> validation_Y, nb::object progress,
         const bkernn::Encoder* encoder) {
        const Input input(X, Y, std::move(weights), validation_X, validation_Y, encoder);
        PythonObserver observer(std::move(progress));
        const nb::gil_scoped_release release;
        return bkernn::fit(input.input, options, &observer);
      },
      "X"_a, "Y"_a, "options"_a, "weights"_a = nb::none(), "validation_X"_a = nb::none(),
      "validation_Y"_a = nb::none(), "progress"_a = nb::none(), "encoder"_a = nb::none());
  m.def(  // the rows, and the place of each given row among them
      "distinct_rows",
      [](const MatrixView& X, const MatrixView& Y, const FitOptions& options,
         std::optional<Vector> weights) {
        const Input input(X, Y, std::move(weights), std::nullopt, std::nullopt);
        const nb::gil_scoped_release release;
        const bkernn::ThreadLimit limit(options.n_threads);
        const bkernn::DistinctRows found = bkernn::distinct_rows(input.input, options);
        return std::pair(numbers(found.rows), numbers(found.place));
      },
      "X"_a, "Y"_a, "options"_a, "weights"_a = nb::none());
  m.def(
      "automatic_regularization",
      [](const MatrixView& X, const MatrixView& Y, const FitOptions& options,
         std::optional<Vector> weights) {
        const Input input(X, Y, std::move(weights), std::nullopt, std::nullopt);
        const nb::gil_scoped_release release;
        return bkernn::automatic_regularization(input.input, options);
      },
      "X"_a, "Y"_a, "options"_a, "weights"_a = nb::none());
  m.def("penalty_names", &bkernn::penalty_names);
  m.def(
      "candidate_penalties",
      [](const std::string& name) { return bkernn::candidate_penalties(name); }, "name"_a);
  m.def("kernel_names", &bkernn::kernel_names);
  m.def("loss_names", &bkernn::loss_names);
  m.def(
      "loss_targets",
      [](const std::string& loss) { return bkernn::name_of(bkernn::make_loss(loss)->targets()); },
      "loss"_a);
  m.def(
      "estimates_quantiles",
      [](const std::string& loss) { return bkernn::make_loss(loss)->quantile().has_value(); },
      "loss"_a);
  m.def(
      "class_outputs",
      [](const std::string& loss, bkernn::Index classes) {
        return bkernn::make_loss(loss)->class_outputs(classes);
      },
      "loss"_a, "classes"_a);
  m.def("default_loss", &bkernn::default_loss, "classes"_a = 0);
}
