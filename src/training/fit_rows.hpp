// The fit itself, of rows that lie anywhere: λ, stages, and the model that they end in.
#pragma once

#include <memory>

#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "choice/choose.hpp"
#include "objective/objective.hpp"
#include "problem/fit_problem.hpp"
#include "problem/make_objective.hpp"

namespace bkernn {

// Rows that judge each iteration, in the units of the input.
struct ValidationRows {
  const MatrixView* X = nullptr;
  const MatrixView* Y = nullptr;
};

// What watches a fit, and where it starts.
struct StageInput {
  Matrix initial;      // W₀
  std::uint64_t seed;  // of the rows of each stage
  ValidationRows validation;
  Observer* observer = nullptr;
  const WarmStart* start = nullptr;  // of the last stage
};

// Minimizes from `state`, stage after stage (stages.hpp). Gives the objective of all rows, solved
// where `state` ended.
std::unique_ptr<Objective> run_stages(const FitProblem& problem, const Choice& choice,
                                      const StageInput& input, OptimizerState& state,
                                      FitReport& report);

// The model at W, where the objective has been solved: particles, functions and intercept in the
// units of y. outline() leaves out functions that follow from training rows; that takes as much
// memory as the objective, which may go first.
Model outline(const FitProblem& problem, const Choice& choice, const Matrix& W,
              const Objective& objective);
Model assemble(const FitProblem& problem, const Choice& choice, const Matrix& W,
               const Objective& objective);

// c of the paper: for the kernel on the rows as given, not centered.
RowVector intercept_of(const Model& model, int n_threads = 0);

// α of the result is that of the rows here, empty if they are elsewhere. Numbers count as the
// problem has them: the ranks of the choice are the caller's to heed.
FitResult fit_rows(const FitProblem& problem, const Choice& choice,
                   const ValidationRows& validation, const FitState* resume, Observer* observer);

// With what it chooses.
FitResult fit_rows(const FitProblem& problem, const ValidationRows& validation,
                   const FitState* resume, Observer* observer);

}  // namespace bkernn
