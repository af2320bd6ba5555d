// Bad input is refused before anything is computed. All of these throw InvalidArgument.
#pragma once

#include "bkernn/fit_input.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"

namespace bkernn {

// Rows, targets and weights of a fit in one place, its validation rows and W₀.
void check_input(const FitInput& input, const FitOptions& options, const Loss& loss);

// Rows of one of several places, of which there may be none; weights n, or empty.
void check_shard(const MatrixView& X, const MatrixView& Y, const Vector& weights, const Loss& loss);

// Whether validation rows are there (not null) if they must be.
void check_validation_given(const MatrixView* X, const MatrixView* Y, const FitOptions& options);

// All about validation rows (or null), for a fit of d columns and q outputs.
void check_validation(const MatrixView* X, const MatrixView* Y, Index d, Index q,
                      const FitOptions& options, const Loss& loss);

// W₀, for a fit of d columns.
void check_initial_particles(const FitOptions& options, Index d);

}  // namespace bkernn
