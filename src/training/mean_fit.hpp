// Several fits as one.
#pragma once

#include <vector>

#include "bkernn/fit_input.hpp"
#include "bkernn/fit_result.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"

namespace bkernn {

// Distances between the seeds of fits: far apart, so that no two fits share them.
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15;

// As one of several a fit needs little room: no α, which would belong to its own kernel, and the
// functions as a file would have them.
void make_small(FitResult& result);

// The fit whose model is the mean of theirs. The report is that of the fit that is farthest from
// its minimum, with the work of all. `shares` sum to 1; empty: all alike.
FitResult mean_of(const std::vector<FitResult>& results, const std::vector<double>& shares = {});

}  // namespace bkernn
