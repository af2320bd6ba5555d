// A model in documents, its calibration included.
#pragma once

#include "bkernn/model.hpp"
#include "io/document.hpp"

namespace bkernn {

void put_model(Json& to, const Model& model);

// What is read is not yet a valid model. That `of_fold` has no calibration.
Model model_of(const Reader& in, bool of_fold = false);

}  // namespace bkernn
