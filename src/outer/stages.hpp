// Coarse to fine: W is learned on a sample of the rows, then on larger ones, last on all of them.
// Directions that a few thousand rows show need no more than a few steps on the rest.
#pragma once

#include <vector>

#include "bkernn/options.hpp"
#include "outer/optimizer_state.hpp"

namespace bkernn {

// Rows of each stage, increasing; the last is n. A function of n, d and the options alone. `knots`:
// whether the last stage is on knots (the others never are: so few rows are faster without).
std::vector<Index> stage_rows(const FitOptions& options, Index n, Index d, bool knots);

// Whether the last stage should take few steps: one takes seconds for many rows, and on knots
// for any number.
bool takes_few_steps(Index n, bool knots);

// The state in which the next stage begins where this one ended, or at W₀ if that was the constant
// model.
OptimizerState next_stage(const OptimizerState& state, const Matrix& initial);

}  // namespace bkernn
