#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/cross_validate.hpp"
#include "interrupt.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::CrossValidateOptions;
using bkernn::CrossValidateResult;
using bkernn::FitInput;
using bkernn::FitOptions;
using bkernn::Matrix;
using bkernn::MatrixView;
using bkernn::PathScores;
using bkernn::Vector;

namespace {

// Signals are checked where stopping is possible; the exception of a handler waits until all folds
// have ended.
class PythonCrossValidateObserver final : public bkernn::CrossValidateObserver {
 public:
  explicit PythonCrossValidateObserver(nb::object progress) : progress_(std::move(progress)) {}

  bool on_point(const bkernn::CrossValidateProgress& p) override {
    if (progress_.is_none()) return poll();
    const nb::gil_scoped_acquire acquire;
    progress_(p.done, p.most, p.rows, p.regularization, p.mean);
    return poll();
  }

  bool poll() override {
    if (interruption_) return false;
    if (!ticker_.due()) return true;
    try {
      check_signals();
    } catch (nb::python_error& error) {
      interruption_ = std::current_exception();
      return false;
    }
    return true;
  }

  void raise_if_interrupted() const {
    if (interruption_) std::rethrow_exception(interruption_);
  }

 private:
  nb::object progress_;
  Ticker ticker_;
  std::exception_ptr interruption_;
};

CrossValidateResult run(const MatrixView& X, const MatrixView& Y,
                        const std::vector<FitOptions>& candidates,
                        const CrossValidateOptions& options, const std::optional<Vector>& weights,
                        nb::object progress, const bkernn::Encoder* encoder) {
  FitInput input{.X = X, .Y = Y, .encoder = encoder};
  if (weights) input.weights = &*weights;
  PythonCrossValidateObserver observer(std::move(progress));
  CrossValidateResult result;
  {
    const nb::gil_scoped_release release;
    result = bkernn::cross_validate(input, candidates, options, &observer);
  }
  observer.raise_if_interrupted();
  return result;
}

}  // namespace

void bind_cross_validate(nb::module_& m) {
  nb::class_<CrossValidateOptions>(m, "CrossValidateOptions", "How λ is chosen.")
      .def(nb::init<>())
      .def_rw("n_folds", &CrossValidateOptions::n_folds)
      .def_rw("groups", &CrossValidateOptions::groups)
      .def_rw("fold_of_row", &CrossValidateOptions::fold_of_row)
      .def_rw("seed", &CrossValidateOptions::seed)
      .def_rw("n_lambdas", &CrossValidateOptions::n_lambdas)
      .def_rw("ratio", &CrossValidateOptions::ratio)
      .def_rw("lambdas", &CrossValidateOptions::lambdas)
      .def_rw("scorer", &CrossValidateOptions::scorer)
      .def_rw("one_standard_error", &CrossValidateOptions::one_standard_error)
      .def_rw("start", &CrossValidateOptions::start)
      .def_rw("fold_iterations", &CrossValidateOptions::fold_iterations)
      .def_rw("ensemble", &CrossValidateOptions::ensemble)
      .def_rw("patience", &CrossValidateOptions::patience)
      .def("validate", &CrossValidateOptions::validate);
  nb::class_<PathScores>(m, "PathScores", "The scores of one candidate along its path.")
      .def_ro("candidate", &PathScores::candidate)
      .def_ro("rows", &PathScores::rows)
      .def_prop_ro("lambdas", [](const PathScores& p) { return Vector(p.lambdas); })
      .def_prop_ro("scores", [](const PathScores& p) { return Matrix(p.scores); })
      .def_prop_ro("mean", [](const PathScores& p) { return Vector(p.mean); })
      .def_prop_ro("standard_error", [](const PathScores& p) { return Vector(p.standard_error); })
      .def_prop_ro("active", [](const PathScores& p) { return Vector(p.active); })
      .def_ro("best", &PathScores::best)
      .def_ro("one_standard_error", &PathScores::one_standard_error);
  nb::class_<CrossValidateResult>(m, "CrossValidateResult",
                                  "Scores, the choice, and the fit with it.")
      .def_ro("paths", &CrossValidateResult::paths)
      .def_ro("candidate", &CrossValidateResult::candidate)
      .def_ro("path", &CrossValidateResult::path)
      .def_ro("point", &CrossValidateResult::point)
      .def_ro("options", &CrossValidateResult::options)
      .def_prop_ro("fit", [](const CrossValidateResult& r) { return r.fit.value(); })
      .def_ro("fold_of_row", &CrossValidateResult::fold_of_row)
      .def_ro("higher_is_better", &CrossValidateResult::higher_is_better)
      .def_ro("evaluations", &CrossValidateResult::evaluations)
      .def_ro("seconds", &CrossValidateResult::seconds);
  m.def("cross_validate", &run, "X"_a, "Y"_a, "candidates"_a, "options"_a, "weights"_a = nb::none(),
        "progress"_a = nb::none(), "encoder"_a = nb::none());
  m.def("scorer_names", &bkernn::scorer_names);
}
