// The parts of the extension module, one function each.
#pragma once

#include <nanobind/nanobind.h>

void bind_columns(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_fit(nanobind::module_& m);
void bind_baselines(nanobind::module_& m);
void bind_distributed(nanobind::module_& m);
void bind_cross_validate(nanobind::module_& m);
void bind_stability(nanobind::module_& m);
void bind_io(nanobind::module_& m);
void bind_theory(nanobind::module_& m);
void bind_data(nanobind::module_& m);
