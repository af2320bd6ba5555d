#include "bkernn/options.hpp"

#include <cmath>

#include "base/names.hpp"
#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"

namespace bkernn {

void FitOptions::validate() const {
  require(n_particles >= 1 && n_particles <= 1'000'000, "n_particles", n_particles,
          "must lie between 1 and 1000000");
  make_penalty(penalty, concavity);
  require(penalty_weight >= 0 && std::isfinite(penalty_weight), "penalty_weight", penalty_weight,
          "must be at least 0 and finite");
  if (regularization) {
    require(*regularization > 0 && std::isfinite(*regularization), "regularization",
            *regularization, "must be positive and finite");
  }
  require_name("regularization_rule", regularization_rule, {"auto", "theory"});
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  require(regularization || regularization_rule != "theory" || k->homogeneous(),
          "regularization_rule", regularization_rule, "the theory is about the brownian kernel");
  const bool coupled = make_loss(loss, loss_parameters)->coupled();
  require_name("optimizer", optimizer, {"auto", "spectral", "paper"});
  require(max_iter >= 0, "max_iter", max_iter, "must be at least 0");
  require(tol >= 0 && std::isfinite(tol), "tol", tol, "must be at least 0 and finite");
  require(step_size > 0 && std::isfinite(step_size), "step_size", step_size,
          "must be positive and finite");
  require(max_halvings >= 0, "max_halvings", max_halvings, "must be at least 0");
  require(n_iter_no_change >= 1, "n_iter_no_change", n_iter_no_change, "must be at least 1");
  require_name("schedule", schedule, {"auto", "direct", "coarse_to_fine"});
  require_name("preconditioner", preconditioner, {"auto", "never", "always"});
  require(preconditioner != "always" || k->piecewise_linear(), "preconditioner", preconditioner,
          "there is one for the brownian kernel only");
  require(preconditioner != "always" || inner_solver != "cholesky", "preconditioner",
          preconditioner, "cholesky has no use for one");
  require(preconditioner != "always" || !coupled, "preconditioner", preconditioner,
          "there is none for the " + loss + " loss, which couples its outputs");
  require_name("inner_solver", inner_solver, {"auto", "cg", "cholesky"});
  require(inner_tol >= 0 && inner_tol < 1, "inner_tol", inner_tol, "must lie in [0, 1)");
  require_name("kernel_operator", kernel_operator, {"auto", "sorted", "knots", "dense"});
  require(knots == 0 || knots >= 2, "knots", knots, "must be 0 (none) or at least 2");
  require(kernel_operator != "knots" || knots >= 2, "knots", knots,
          "the knots operator needs at least 2");
  require(knots == 0 || kernel_operator == "auto" || kernel_operator == "knots", "kernel_operator",
          kernel_operator, "must be auto or knots when knots are asked for");
  require(knots == 0 || k->piecewise_linear(), "kernel", kernel, "knots need the brownian kernel");
  require(kernel_operator != "sorted" || k->markov(), "kernel_operator", kernel_operator,
          "the " + kernel + " kernel needs the dense operator");
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0 (0: all cores)");
}

}  // namespace bkernn
