// From options to parts: what "auto" comes to, and what else fit() and cross_validate() share.
#pragma once

#include <string>

#include "bkernn/kernel.hpp"
#include "bkernn/options.hpp"
#include "inner/inner_solver.hpp"
#include "outer/optimizer.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

// sorted, knots or dense, and the knots per particle.
struct OperatorChoice {
  std::string name;
  Index knots = 0;
};

// A function of the options and of the number of rows alone: beyond 2·10⁸ rows × particles (of the
// whole fit), `auto` takes 256 knots. Throws InvalidArgument if the dense operator would not fit
// into memory.
OperatorChoice choose_operator(const FitOptions& options, const Kernel& kernel, Index rows);

Index automatic_knots();

// Whether the inner problem is solved for values at knots rather than for α.
bool solves_on_knots(const FitOptions& options, const OperatorChoice& products);

// Throws InvalidArgument if the options leave a solve on knots without its preconditioner.
void require_preconditioner(const FitOptions& options);

InnerMethod choose_inner(const std::string& name);
Preconditioning choose_preconditioning(const std::string& name);

// m where the options leave it open, for a fit of so much weight: 3.2√n, as long as n·m is below a
// million, but at least 50 and at most 200. Held-out rows of real tables gain by that; beyond it
// they gain little, and the fit takes too long.
Index automatic_particles(double total_weight);

// m, resolved. The same for rows that lie here or elsewhere, and for a weight of two or two rows.
Index particle_count(const FitOptions& options, const Coordinates& coordinates);

// W₀, d×m, drawn by this seed. Rows of columns that are constant are 0, and stay 0. Within a space
// of k > 0 dimensions V₀, k×m.
Matrix initial_particles(const FitOptions& options, const Coordinates& coordinates,
                         std::uint64_t seed, Index k = 0);

// W₀ of fits that are only judged by held-out rows: 50 particles where the options leave m open.
Matrix trial_particles(const FitOptions& options, const Coordinates& coordinates, Index k = 0);

OptimizerOptions outer_options(const FitOptions& options, const Loss& loss);

// OptimizerOptions::longest_step. The gradient of classes that are told apart fades, and so does
// what it says of the curvature: spectral steps would lead W far away, where inner problems are
// hard, and back again.
double longest_step(const Loss& loss);

}  // namespace bkernn
