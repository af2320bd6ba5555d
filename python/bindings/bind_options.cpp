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

std::string kind(const Option& option) {
  std::string found;
  const FitOptions defaults;
  bkernn::visit_option(defaults, option, [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    found = std::is_same_v<Value, bool>             ? "flag"
            : std::is_same_v<Value, std::string>    ? "text"
            : std::is_same_v<Value, bkernn::Matrix> ? "matrix"
            : std::is_integral_v<Value>             ? "integer"
                                                    : "number";
  });
  return found;
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

  nb::class_<Option>(m, "Option", "One row of the table of options.")
      .def_ro("name", &Option::name)
      .def_prop_ro("kind", &kind)
      .def_ro("group", &Option::group)
      .def_ro("help", &Option::help)
      .def_ro("choices", &Option::choices)
      .def_prop_ro("least", [](const Option& o) { return o.range.least; })
      .def_prop_ro("most", [](const Option& o) { return o.range.most; })
      .def_prop_ro("least_excluded", [](const Option& o) { return o.range.least_excluded; })
      .def_prop_ro("most_excluded", [](const Option& o) { return o.range.most_excluded; });
  m.def("option_table", &bkernn::option_table);
}
