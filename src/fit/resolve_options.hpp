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

// W₀, d×m. Rows of columns that are constant are 0, and stay 0.
Matrix initial_particles(const FitOptions& options, const Coordinates& coordinates);

OptimizerOptions outer_options(const FitOptions& options);

}  // namespace bkernn
