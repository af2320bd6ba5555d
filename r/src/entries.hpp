// What R calls.
#pragma once

#include "jumps.hpp"

extern "C" {
SEXP bkernn_options();
SEXP bkernn_losses();
SEXP bkernn_fit(SEXP problem, SEXP verbose);
SEXP bkernn_cross_validate(SEXP problem, SEXP settings, SEXP verbose);
SEXP bkernn_stability(SEXP problem, SEXP settings, SEXP verbose);
SEXP bkernn_predict(SEXP model, SEXP rows, SEXP type, SEXP level, SEXP threads);
SEXP bkernn_describe(SEXP model);
SEXP bkernn_directions(SEXP model, SEXP k);
SEXP bkernn_read(SEXP path);
SEXP bkernn_write(SEXP model, SEXP path);
}
