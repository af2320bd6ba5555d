// Tables with words and gaps: a category is a pair of codes and levels, by the number of its
// column.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>

#include "bindings.hpp"
#include "bkernn/columns.hpp"
#include "model_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using bkernn::Categories;
using bkernn::ColumnCounts;
using bkernn::EncodedColumn;
using bkernn::Encoder;
using bkernn::Index;
using bkernn::MatrixView;
using bkernn::Vector;

namespace {

using Codes = Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1>;
using GivenCategories = std::map<Index, std::pair<Codes, std::vector<std::string>>>;

Categories categories_of(const GivenCategories& given) {
  Categories categories;
  for (const auto& [column, one] : given) {
    const auto& [codes, levels] = one;
    categories.emplace(column, bkernn::Category{{codes.begin(), codes.end()}, levels});
  }
  return categories;
}

}  // namespace

namespace {

nb::list curves_state(const EncodedColumn& column) {
  nb::list state;
  for (const bkernn::Curve& one : column.curves)
    state.append(nb::make_tuple(one.ranks, one.x, one.values));
  return state;
}

std::vector<bkernn::Curve> curves_from_state(const nb::handle& state) {
  std::vector<bkernn::Curve> curves;
  for (const nb::handle one : state) {
    curves.push_back({nb::cast<std::string>(one[0]), nb::cast<std::vector<double>>(one[1]),
                      nb::cast<std::vector<double>>(one[2])});
  }
  return curves;
}

}  // namespace

nb::list encoder_state(const Encoder& encoder) {
  nb::list state;
  for (const EncodedColumn& c : encoder.columns)
    state.append(
        nb::make_tuple(c.category, c.mean, c.gaps, c.levels, c.shares, c.other, curves_state(c)));
  return state;
}

Encoder encoder_from_state(const nb::handle& state) {
  Encoder encoder;
  for (const nb::handle one : state) {
    encoder.columns.push_back(
        {.category = nb::cast<bool>(one[0]),
         .mean = nb::cast<double>(one[1]),
         .curves = nb::len(one) > 6 ? curves_from_state(one[6]) : std::vector<bkernn::Curve>(),
         .gaps = nb::cast<double>(one[2]),
         .levels = nb::cast<std::vector<std::string>>(one[3]),
         .shares = nb::cast<std::vector<double>>(one[4]),
         .other = nb::cast<double>(one[5])});
  }
  return encoder;
}

nb::tuple counts_state(const ColumnCounts& c) {
  return nb::make_tuple(c.category, c.gaps, c.levels, c.sum, c.present, c.largest, c.holes);
}

void bind_columns(nb::module_& m) {
  nb::class_<ColumnCounts>(m, "ColumnCounts", "What the rows of one place say of a column.")
      .def("__getstate__", &counts_state)
      .def("__setstate__", [](ColumnCounts& self, const nb::tuple& state) {
        new (&self) ColumnCounts{.category = nb::cast<bool>(state[0]),
                                 .gaps = nb::cast<double>(state[1]),
                                 .levels = nb::cast<std::map<std::string, double>>(state[2]),
                                 .sum = nb::cast<double>(state[3]),
                                 .present = nb::cast<double>(state[4]),
                                 .largest = nb::cast<double>(state[5]),
                                 .holes = nb::cast<bool>(state[6])};
      });
  nb::class_<Encoder>(m, "Encoder", "What was learned of the columns of a table.")
      .def(nb::init<>())
      .def_prop_ro("empty", &Encoder::empty)
      .def_prop_ro("coordinates", &Encoder::coordinates)
      .def_prop_ro("ranks", &Encoder::ranks)
      .def_prop_ro("groups", &Encoder::groups)
      .def_prop_ro("categorical",
                   [](const Encoder& self) {
                     std::vector<bool> found;
                     for (const EncodedColumn& c : self.columns) found.push_back(c.category);
                     return found;
                   })
      .def("coordinate_names", &Encoder::coordinate_names, "names"_a)
      .def("outcome_names", &Encoder::outcome_names, "column"_a)
      .def(
          "encode",
          [](const Encoder& self, const MatrixView& X, const GivenCategories& given,
             const std::vector<std::string>& names) {
            const Categories categories = categories_of(given);
            const nb::gil_scoped_release release;
            return self.encode({X, categories}, names);
          },
          "X"_a, "categories"_a, "names"_a)
      .def("__getstate__", &encoder_state)
      .def("__setstate__", [](Encoder& self, const nb::list& state) {
        new (&self) Encoder(encoder_from_state(state));
      });
  m.def(
      "learn_encoder",
      [](const MatrixView& X, const GivenCategories& given, const std::optional<Vector>& weights,
         const std::vector<std::string>& names) {
        const Categories categories = categories_of(given);
        const nb::gil_scoped_release release;
        return bkernn::learn_encoder({X, categories}, weights ? &*weights : nullptr, names);
      },
      "X"_a, "categories"_a, "weights"_a, "names"_a);
  m.def(
      "count_columns",
      [](const MatrixView& X, const GivenCategories& given, const std::optional<Vector>& weights,
         const std::vector<std::string>& names) {
        const Categories categories = categories_of(given);
        const nb::gil_scoped_release release;
        return bkernn::count_columns({X, categories}, weights ? &*weights : nullptr, names);
      },
      "X"_a, "categories"_a, "weights"_a, "names"_a);
  m.def(
      "learn_encoder_of_places",
      [](const std::vector<std::vector<ColumnCounts>>& places,
         const std::vector<std::string>& names) { return bkernn::learn_encoder(places, names); },
      "places"_a, "names"_a);
}
