#include "fit/fit_problem.hpp"

#include "base/memory.hpp"
#include "fit/resolve_options.hpp"
#include "rows/find_coordinates.hpp"

namespace bkernn {

FitParts::FitParts(const FitOptions& given, Index rows)
    : options(given),
      kernel(make_kernel(options.kernel)),
      loss(make_loss(options.loss, options.loss_parameters)),
      penalty(make_penalty(options.penalty, options.concavity)) {
  const OperatorChoice products = choose_operator(options, *kernel, rows);
  kernel_operator = products.name;
  options.knots = products.knots;
  on_knots = solves_on_knots(options, products);
  if (on_knots) require_preconditioner(options);
}

FitProblem::FitProblem(const FitParts& fit_parts, Shards& rows)
    : parts(fit_parts),
      shards(rows),
      coordinates(find_coordinates(shards, parts.options, *parts.loss, parts.on_knots)) {
  if (shards.here() == nullptr) return;
  check_memory(parts.kernel_operator, n(), d(), parts.options.n_particles, q(), available_memory());
}

}  // namespace bkernn
