#include "saved.hpp"

#include <R_ext/Altrep.h>

#include <algorithm>
#include <string>

#include "bkernn/error.hpp"

namespace bkernn::r {
namespace {

using Shared = std::shared_ptr<const SavedModel>;

R_altrep_class_t model_class;

// data1: a pointer to a Shared, or NULL before the bytes are read; data2: the bytes, or NULL before
// they are made.
void forget(SEXP pointer) {
  delete static_cast<Shared*>(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

SEXP pointer_to(Shared model) {
  auto owned = std::make_unique<Shared>(std::move(model));
  const SEXP pointer = jumping([&] {
    const SEXP made = PROTECT(R_MakeExternalPtr(nullptr, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(made, forget);
    UNPROTECT(1);
    return made;
  });
  R_SetExternalPtrAddr(pointer, owned.release());
  return pointer;
}

Shared read_bytes(SEXP raw) {
  const std::string bytes(reinterpret_cast<const char*>(RAW(raw)),
                          static_cast<std::size_t>(Rf_xlength(raw)));
  return std::make_shared<const SavedModel>(model_from_cbor(bytes));
}

Shared model_in(SEXP model) {
  if (is_null(R_altrep_data1(model))) {
    const Shared read = read_bytes(R_altrep_data2(model));
    R_set_altrep_data1(model, pointer_to(read));
  }
  return *static_cast<Shared*>(R_ExternalPtrAddr(R_altrep_data1(model)));
}

SEXP bytes_in(SEXP model) {
  if (!is_null(R_altrep_data2(model))) return R_altrep_data2(model);
  const std::string bytes = model_to_cbor(*model_in(model));
  const SEXP raw =
      jumping([&] { return Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(bytes.size())); });
  std::copy(bytes.begin(), bytes.end(), RAW(raw));
  R_set_altrep_data2(model, raw);
  return raw;
}

// R calls these itself, and looks at no failure that they return.
SEXP bytes_or_error(SEXP model) {
  const SEXP found = guarded([&] { return bytes_in(model); });
  if (TYPEOF(found) != RAWSXP) Rf_error("%s", CHAR(STRING_ELT(found, 1)));
  return found;
}

R_xlen_t length_of(SEXP model) {
  return Rf_xlength(bytes_or_error(model));
}

void* data_of(SEXP model, Rboolean) {
  return RAW(bytes_or_error(model));
}

SEXP unserialize(SEXP, SEXP state) {
  return R_new_altrep(model_class, R_NilValue, state);
}

}  // namespace

void register_models(DllInfo* library) {
  model_class = R_make_altraw_class("bkernn_model", "bkernn", library);
  R_set_altrep_Length_method(model_class, length_of);
  R_set_altvec_Dataptr_method(model_class, data_of);
  R_set_altrep_Serialized_state_method(model_class, bytes_or_error);
  R_set_altrep_Unserialize_method(model_class, unserialize);
}

SEXP to_r(SavedModel model) {
  const SEXP pointer = PROTECT(pointer_to(std::make_shared<const SavedModel>(std::move(model))));
  const SEXP made = jumping([&] { return R_new_altrep(model_class, pointer, R_NilValue); });
  UNPROTECT(1);
  return made;
}

Shared saved_of(SEXP model) {
  if (TYPEOF(model) != RAWSXP) throw InvalidArgument("model: must be a raw vector");
  if (ALTREP(model) != 0 && R_altrep_inherits(model, model_class)) return model_in(model);
  return read_bytes(model);
}

}  // namespace bkernn::r
