// A model as a dictionary of plain arrays and strings: what a pickle holds.
#pragma once

#include <nanobind/nanobind.h>

#include "bkernn/model.hpp"

nanobind::list encoder_state(const bkernn::Encoder& encoder);
bkernn::Encoder encoder_from_state(const nanobind::handle& state);

nanobind::dict model_state(const bkernn::Model& model);
bkernn::Model model_from_state(const nanobind::dict& state);
