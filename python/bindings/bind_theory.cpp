#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "bkernn/theory.hpp"

namespace nb = nanobind;
namespace theory = bkernn::theory;
using namespace nb::literals;
using bkernn::Index;
using bkernn::MatrixView;

void bind_theory(nb::module_& m) {
  m.def(
      "dimension_dependent_bound",
      [](const MatrixView& X, const std::string& sphere, bool sharp) {
        const theory::DataTerms terms =
            theory::empirical_terms(X, theory::sphere_from_name(sphere));
        return sharp ? theory::sharp_dimension_dependent_bound(terms)
                     : theory::dimension_dependent_bound(terms);
      },
      "X"_a, "sphere"_a, "sharp"_a);
  m.def(
      "dimension_independent_bound",
      [](const MatrixView& X, const std::string& sphere) {
        return theory::dimension_independent_bound(
            theory::empirical_terms(X, theory::sphere_from_name(sphere)));
      },
      "X"_a, "sphere"_a);
  m.def(
      "estimate_gaussian_complexity",
      [](const MatrixView& X, const std::string& sphere, Index draws, Index restarts, int max_iter,
         std::uint64_t seed, int n_threads) {
        theory::ComplexityEstimate estimate;
        {
          const nb::gil_scoped_release release;
          estimate = theory::estimate_gaussian_complexity(
              X, theory::sphere_from_name(sphere), {draws, restarts, max_iter, seed, n_threads});
        }
        return nb::make_tuple(estimate.value, estimate.standard_error, estimate.suprema);
      },
      "X"_a, "sphere"_a, "draws"_a, "restarts"_a, "max_iter"_a, "seed"_a, "n_threads"_a);
  m.def("theory_lambda", &theory::regularization, "L"_a, "n"_a, "G_n"_a, "sigma"_a, "delta"_a);
}
