#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/stability.hpp"
#include "interrupt.hpp"
#include "report/stability.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::Matrix;
using bkernn::MatrixView;
using bkernn::StabilityOptions;
using bkernn::StabilityResult;
using bkernn::Vector;

namespace {

// progress(finished, fits), now and then; signal handlers run, and may end it.
class PythonStabilityObserver final : public bkernn::StabilityObserver {
 public:
  explicit PythonStabilityObserver(nb::object progress) : progress_(std::move(progress)) {}

  bool on_progress(int finished, int fits) override {
    on_work();
    if (progress_.is_none() || finished == last_) return true;
    last_ = finished;
    const nb::gil_scoped_acquire acquire;
    progress_(finished, fits);
    return true;
  }

  void on_work() override {
    if (ticker_.due()) check_signals();
  }

 private:
  nb::object progress_;
  Ticker ticker_;
  int last_ = -1;
};

template <class Value>
auto copy_of(Value StabilityResult::*member) {
  return [member](const StabilityResult& result) { return Value(result.*member); };
}

}  // namespace

void bind_stability(nb::module_& m) {
  nb::class_<StabilityOptions>(m, "StabilityOptions", "How a stability study is made.")
      .def(nb::init<>())
      .def_rw("n_pairs", &StabilityOptions::n_pairs)
      .def_rw("threshold", &StabilityOptions::threshold)
      .def_rw("coverage", &StabilityOptions::coverage)
      .def_rw("n_folds", &StabilityOptions::n_folds)
      .def_rw("n_permutations", &StabilityOptions::n_permutations)
      .def_rw("n_refits", &StabilityOptions::n_refits)
      .def_rw("seed", &StabilityOptions::seed)
      .def("validate", &StabilityOptions::validate);
  nb::class_<StabilityResult>(m, "StabilityResult", "What fits of halves and folds have told.")
      .def_prop_ro("fit", [](const StabilityResult& r) { return r.fit; })
      .def_ro("halves", &StabilityResult::halves)
      .def_prop_ro("angles", copy_of(&StabilityResult::angles))
      .def_prop_ro("angle_levels", copy_of(&StabilityResult::angle_levels))
      .def_prop_ro("directions", copy_of(&StabilityResult::directions))
      .def_prop_ro("lower", copy_of(&StabilityResult::lower))
      .def_prop_ro("upper", copy_of(&StabilityResult::upper))
      .def_prop_ro("selection", copy_of(&StabilityResult::selection))
      .def_ro("selected", &StabilityResult::selected)
      .def_ro("threshold", &StabilityResult::threshold)
      .def_ro("bound", &StabilityResult::bound)
      .def_prop_ro("loss", [](const StabilityResult& r) { return Vector(r.curve.loss); })
      .def_prop_ro("standard_error",
                   [](const StabilityResult& r) { return Vector(r.curve.standard_error); })
      .def_prop_ro("p_value", [](const StabilityResult& r) { return Vector(r.curve.p_value); })
      .def_prop_ro("dimension", [](const StabilityResult& r) { return r.curve.dimension; })
      .def_prop_ro("sentence", [](const StabilityResult& r) { return r.curve.sentence(); })
      .def_ro("seconds", &StabilityResult::seconds)
      .def("text", &bkernn::report::stability_text, "names"_a, "most_variables"_a = 10)
      .def(
          "to_json",
          [](const StabilityResult& r, const std::vector<std::string>& names) {
            return bkernn::report::stability_json(r, names).dump(1);
          },
          "names"_a);
  m.def(
      "stability",
      [](const MatrixView& X, const MatrixView& Y, const bkernn::FitOptions& fit_options,
         const StabilityOptions& options, const std::optional<Vector>& weights, nb::object progress,
         const bkernn::Encoder* encoder) {
        bkernn::FitInput input{.X = X, .Y = Y, .encoder = encoder};
        if (weights) input.weights = &*weights;
        PythonStabilityObserver observer(std::move(progress));
        const nb::gil_scoped_release release;
        return bkernn::stability(input, fit_options, options, &observer);
      },
      "X"_a, "Y"_a, "fit_options"_a, "options"_a, "weights"_a = nb::none(),
      "progress"_a = nb::none(), "encoder"_a = nb::none());
}
