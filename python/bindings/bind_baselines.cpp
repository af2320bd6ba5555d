#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings.hpp"
#include "bkernn/baselines.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::BrownianKernelRidge;
using bkernn::Index;
using bkernn::Matrix;
using bkernn::MatrixView;
using bkernn::ReLUNetwork;
using bkernn::Vector;

void bind_baselines(nb::module_& m) {
  m.def(
      "brownian_ridge_fit",
      [](const MatrixView& X, const MatrixView& Y, double regularization,
         std::optional<Vector> weights, int n_threads) {
        BrownianKernelRidge ridge;
        {
          const nb::gil_scoped_release release;
          ridge = BrownianKernelRidge::fit(X, Y, regularization, weights ? &*weights : nullptr,
                                           n_threads);
        }
        return nb::make_tuple(ridge.alpha, Vector(ridge.intercept.transpose()));
      },
      "X"_a, "Y"_a, "regularization"_a, "weights"_a = nb::none(), "n_threads"_a = 0,
      "α and intercept.");
  m.def(
      "brownian_ridge_predict",
      [](const Matrix& X_train, const Matrix& alpha, const Vector& intercept, const MatrixView& X,
         int n_threads) {
        const nb::gil_scoped_release release;
        return BrownianKernelRidge{X_train, alpha, intercept.transpose()}.predict(X, n_threads);
      },
      "X_train"_a, "alpha"_a, "intercept"_a, "X"_a, "n_threads"_a = 0);
  m.def(
      "relu_network_fit",
      [](const MatrixView& X, const MatrixView& Y, Index n_neurons, double step_size,
         Index batch_size, Index n_iter, std::uint64_t seed) {
        ReLUNetwork net;
        {
          const nb::gil_scoped_release release;
          net = ReLUNetwork::fit(X, Y, {n_neurons, step_size, batch_size, n_iter, seed});
        }
        return nb::make_tuple(net.W, Vector(net.b.transpose()), net.eta);
      },
      "X"_a, "Y"_a, "n_neurons"_a, "step_size"_a, "batch_size"_a, "n_iter"_a, "seed"_a,
      "W, b and η.");
  m.def(
      "relu_network_predict",
      [](const Matrix& W, const Vector& b, const Matrix& eta, const MatrixView& X, int n_threads) {
        const nb::gil_scoped_release release;
        return ReLUNetwork{W, b.transpose(), eta}.predict(X, n_threads);
      },
      "W"_a, "b"_a, "eta"_a, "X"_a, "n_threads"_a = 0);
}
