// A model as R keeps it: the raw vector of its .cbor file, made when somebody looks at it (or saves
// it with an R session). Until then it is a pointer to the model.
#pragma once

#include <R_ext/Rdynload.h>

#include <memory>

#include "bkernn/io.hpp"
#include "values.hpp"

namespace bkernn::r {

void register_models(DllInfo* library);
SEXP to_r(SavedModel model);

// The model of such a vector, or of any raw vector with the same bytes.
std::shared_ptr<const SavedModel> saved_of(SEXP model);

}  // namespace bkernn::r
