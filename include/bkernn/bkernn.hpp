// The whole public interface, and where to start reading it.
//
// The method. A row x enters only through m projections w_jᵀx, and the prediction is
//
//   f(x) = c + (1/m) Σ_j h_j(w_jᵀx),      h_j(p) = Σ_i α_i k(p, w_jᵀx_i),
//
// where k is the Brownian kernel: h_j can be any function whose slope has a finite square integral.
// For fixed directions W = (w_1 … w_m), finding α and c is one kernel regression with the matrix
// K = (1/m) Σ_j K^(w_j). Let G(W) be its optimal value. A penalty Ω(W) says what there should be
// few of, directions or variables. The problem
//
//   minimize over W    G(W) + λ Ω(W)
//
// is solved by proximal gradient steps: the gradient of G moves the particles, and the prox of Ω
// makes the superfluous ones vanish. K is never formed. The projections of a particle are sorted
// once; then a product with K^(w_j), and the slopes that the gradient needs, are running sums over
// the gaps.
//
// The headers, in the order in which to read them:
//
//   types           n, d, m, q; X, W, Y, α
//   fit             the problem with weights and several outputs, its scalings, λ by a rule
//   kernel          why a product is one pass over sorted projections
//   loss            what a prediction costs, and the parabola above it that Newton steps use
//   penalty         what there should be few of, and the one scalar rule behind every prox
//   options         everything that can be chosen, each word with its symbol
//   option_table    the same as a table, for programs that list, store or explain options
//   columns         words and gaps: what becomes of a table before a fit, and before a prediction
//   cross_validate  λ from the data: where a path begins, and how the best λ is found
//   model, report   the result: directions and functions; how the fit went
//   intervals       how far y may lie from a prediction
//   stability       how sure directions, variables and their number are
//   metrics, io     how good a model is; files
//   export          models as C source and as ONNX graphs
//   observer        watching, stopping and resuming a fit
//   distributed     rows that lie in several places (row_shard: one of them)
//   distinct_rows   which rows are merged, and in what order they stand
//   theory          the theorems of the paper as functions
//   baselines, simulate, row_split, threads, error, version
//
// In its simplest form:
//
//   const bkernn::FitResult result = bkernn::fit(X, y);
//   const bkernn::Matrix f = result.model.predict(X_new);
#pragma once

#include "bkernn/baselines.hpp"
#include "bkernn/columns.hpp"
#include "bkernn/cross_validate.hpp"
#include "bkernn/distinct_rows.hpp"
#include "bkernn/distributed.hpp"
#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/folds.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/io.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/model.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/option_table.hpp"
#include "bkernn/options.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "bkernn/row_shard.hpp"
#include "bkernn/row_split.hpp"
#include "bkernn/simulate.hpp"
#include "bkernn/stability.hpp"
#include "bkernn/theory.hpp"
#include "bkernn/threads.hpp"
#include "bkernn/types.hpp"
#include "bkernn/version.hpp"
