// FitOptions with one property for each row of the table of options, and the table itself.
#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <type_traits>

#include "bindings.hpp"
#include "bkernn/option_table.hpp"

namespace nb = nanobind;
using bkernn::FitOptions;
using bkernn::LossParameters;
using bkernn::Option;

namespace {

template <class Value, class Owner>
void add_property(nb::class_<FitOptions>& to, const Option& option, Value Owner::*member) {
  const auto owner = [](auto& options) -> auto& {
    if constexpr (std::is_same_v<Owner, LossParameters>) {
      return options.loss_parameters;
    } else {
      return options;
    }
  };
  const auto get = [=](const FitOptions& options) -> Value { return owner(options).*member; };
  const auto set = [=](FitOptions& options, const Value& value) { owner(options).*member = value; };
  if constexpr (std::is_same_v<Value, std::optional<double>>) {
    to.def_prop_rw(option.name, get, set, nb::arg().none());
  } else {
    to.def_prop_rw(option.name, get, set);
  }
}

template <class Value>
const char* kind_of() {
  return std::is_same_v<Value, bool>                  ? "flag"
         : std::is_same_v<Value, std::string>         ? "text"
         : std::is_same_v<Value, bkernn::Matrix>      ? "matrix"
         : std::is_integral_v<Value>                  ? "integer"
         : std::is_same_v<Value, std::vector<double>> ? "numbers"
                                                      : "number";
}

// The rows as plain Python objects: the package keeps them as long as it lives.
nb::list table() {
  nb::list rows;
  const FitOptions defaults;
  bkernn::visit_options(defaults, [&](const Option& option, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    nb::dict row;
    row["name"] = option.name;
    row["kind"] = kind_of<Value>();
    row["default"] = nb::none();
    if constexpr (!std::is_same_v<Value, bkernn::Matrix>) row["default"] = nb::cast(value);
    row["group"] = option.group;
    row["help"] = option.help;
    row["choices"] = nb::cast(option.choices);
    row["least"] = option.range.least;
    row["most"] = option.range.most;
    row["least_excluded"] = option.range.least_excluded;
    row["most_excluded"] = option.range.most_excluded;
    row["zero"] = option.zero;
    rows.append(row);
  });
  return rows;
}

}  // namespace

void bind_options(nb::module_& m) {
  nb::class_<FitOptions> options(m, "FitOptions", "What can be chosen about a fit.");
  options.def(nb::init<>());
  for (const Option& option : bkernn::option_table()) {
    std::visit([&](auto member) { add_property(options, option, member); }, option.member);
  }
  options.def("copy", [](const FitOptions& o) { return FitOptions(o); })
      .def("validate", &FitOptions::validate);

  m.def("option_table", &table, "One dictionary for each option.");
}
