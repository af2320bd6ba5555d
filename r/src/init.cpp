#include <R_ext/Rdynload.h>

#include "entries.hpp"
#include "saved.hpp"

namespace {

#define ENTRY(name, arguments) \
  { #name, reinterpret_cast < DL_FUNC>(&name), arguments }

const R_CallMethodDef kEntries[] = {
    ENTRY(bkernn_options, 0),        ENTRY(bkernn_losses, 0),     ENTRY(bkernn_fit, 2),
    ENTRY(bkernn_cross_validate, 3), ENTRY(bkernn_stability, 3),  ENTRY(bkernn_predict, 5),
    ENTRY(bkernn_describe, 1),       ENTRY(bkernn_directions, 2), ENTRY(bkernn_read, 1),
    ENTRY(bkernn_write, 2),          {nullptr, nullptr, 0},
};

}  // namespace

extern "C" void R_init_bkernn(DllInfo* library) {
  R_registerRoutines(library, nullptr, kEntries, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
  bkernn::r::register_models(library);
}
