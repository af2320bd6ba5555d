// Metrics and simulated data.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/model.hpp"
#include "bkernn/simulate.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::Index;
using bkernn::MatrixView;
using bkernn::Vector;

namespace {

using Weights = std::optional<Vector>;

const Vector* pointer(const Weights& weights) {
  return weights ? &*weights : nullptr;
}

// Scores of two matrices and weights.
using Score = double (*)(const MatrixView&, const MatrixView&, const Vector*);

void def_score(nb::module_& m, const char* name, Score score) {
  m.def(
      name,
      [score](const MatrixView& A, const MatrixView& B, const Weights& weights) {
        return score(A, B, pointer(weights));
      },
      "A"_a, "B"_a, "weights"_a = nb::none());
}

nb::dict simulate(const std::string& kind, Index n, Index n_test, Index d, Index k, double noise,
                  std::uint64_t seed) {
  const bkernn::Simulated data = bkernn::simulate({kind, n, n_test, d, k, noise, seed});
  nb::dict out;
  out["X"] = nb::cast(data.train.X);
  out["y"] = nb::cast(Vector(data.train.Y.col(0)));
  out["signal"] = nb::cast(data.train.signal);
  out["X_test"] = nb::cast(data.test.X);
  out["y_test"] = nb::cast(data.test.Y.cols() > 0 ? Vector(data.test.Y.col(0)) : Vector());
  out["signal_test"] = nb::cast(data.test.signal);
  out["P"] = nb::cast(data.P);
  return out;
}

}  // namespace

void bind_data(nb::module_& m) {
  def_score(m, "r2_score", &bkernn::r2_score);
  def_score(m, "mean_squared_error", &bkernn::mean_squared_error);
  def_score(m, "quantile_coverage", &bkernn::quantile_coverage);
  def_score(m, "log_loss", &bkernn::log_loss);
  def_score(m, "accuracy", &bkernn::accuracy);
  m.def(
      "pinball_loss",
      [](const MatrixView& Y, const MatrixView& F, double tau, const Weights& weights) {
        return bkernn::pinball_loss(Y, F, tau, pointer(weights));
      },
      "Y"_a, "F"_a, "tau"_a, "weights"_a = nb::none());
  m.def(
      "interval_coverage",
      [](const MatrixView& Y, const MatrixView& lower, const MatrixView& upper,
         const Weights& weights) {
        return bkernn::interval_coverage(Y, lower, upper, pointer(weights));
      },
      "Y"_a, "lower"_a, "upper"_a, "weights"_a = nb::none());
  m.def(
      "expected_calibration_error",
      [](const MatrixView& probabilities, const MatrixView& Y, int bins, const Weights& weights) {
        return bkernn::expected_calibration_error(probabilities, Y, bins, pointer(weights));
      },
      "probabilities"_a, "Y"_a, "bins"_a = 10, "weights"_a = nb::none());
  m.def(
      "feature_learning_score",
      [](const MatrixView& P_hat, const MatrixView& P) {
        return bkernn::feature_learning_score(P_hat, P);
      },
      "P_hat"_a, "P"_a);
  m.def(
      "particles_learning_score",
      [](const MatrixView& W, bool selects_variables, const MatrixView& P) {
        return bkernn::feature_learning_score(W, selects_variables, P);
      },
      "W"_a, "selects_variables"_a, "P"_a);
  m.def(
      "estimated_dimension",
      [](const Vector& importances) { return bkernn::estimated_dimension(importances); },
      "importances"_a);
  m.def("dimension_threshold", [] { return bkernn::kDimensionThreshold; });
  m.def(
      "dimension_score",
      [](const Vector& importances) { return bkernn::dimension_score(importances); },
      "importances"_a);
  m.def("simulate", &simulate, "kind"_a, "n"_a, "n_test"_a, "d"_a, "k"_a, "noise"_a, "seed"_a);
  m.def("simulation_kinds", &bkernn::simulation_kinds);
}
