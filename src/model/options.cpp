#include "bkernn/options.hpp"

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/option_table.hpp"

namespace bkernn {

void FitOptions::validate() const {
  for (const Option& option : option_table()) check_option(*this, option);
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  const bool coupled = make_loss(loss, loss_parameters)->coupled();
  require(regularization || regularization_rule != "theory" || k->homogeneous(),
          "regularization_rule", regularization_rule, "the theory is about the brownian kernel");
  require(preconditioner != "always" || k->piecewise_linear(), "preconditioner", preconditioner,
          "there is one for the brownian kernel only");
  require(preconditioner != "always" || inner_solver != "cholesky", "preconditioner",
          preconditioner, "cholesky has no use for one");
  require(preconditioner != "always" || !coupled, "preconditioner", preconditioner,
          "there is none for the " + loss + " loss, which couples its outputs");
  require(knots != 1, "knots", knots, "must be 0 (none) or at least 2");
  require(kernel_operator != "knots" || knots >= 2, "knots", knots,
          "the knots operator needs at least 2");
  require(knots == 0 || kernel_operator == "auto" || kernel_operator == "knots", "kernel_operator",
          kernel_operator, "must be auto or knots when knots are asked for");
  require(knots == 0 || k->piecewise_linear(), "kernel", kernel, "knots need the brownian kernel");
  require(kernel_operator != "sorted" || k->markov(), "kernel_operator", kernel_operator,
          "the " + kernel + " kernel needs the dense operator");
}

}  // namespace bkernn
