// A fit whose numbers are taken by ranks, or in several ways, each with its share of the mean.
#pragma once

#include "bkernn/distinct_rows.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/observer.hpp"
#include "choice/choose.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

// How many of `models` each kind gets: one, and the others by its share.
std::vector<Index> models_of_kinds(const std::vector<RacedRanks>& kinds, Index models);

// `choice` is that of the input as it is. The model has the coordinates of all kinds.
FitResult fit_kinds(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                    const Choice& choice, Observer* observer);

}  // namespace bkernn
