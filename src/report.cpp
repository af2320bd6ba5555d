#include "bkernn/report.hpp"

#include <sstream>

namespace bkernn {

std::string describe(Termination why) {
  switch (why) {
    case Termination::converged:
      return "converged: the objective has settled within the tolerance";
    case Termination::max_iterations:
      return "not converged: the limit on iterations was reached";
    case Termination::stalled:
      return "stalled: no step decreases the objective any further";
    case Termination::trivial:
      return "converged: all particles are zero, the model is constant";
    case Termination::early_stopped:
      return "stopped early: the loss on the validation rows no longer decreases";
    default:
      return "stopped by the observer";
  }
}

std::vector<Index> FitReport::stages() const {
  std::vector<Index> rows;
  for (const IterationRecord& record : iterations) {
    if (rows.empty() || rows.back() != record.rows) rows.push_back(record.rows);
  }
  if (rows.empty() || rows.back() != this->rows) rows.push_back(this->rows);
  return rows;
}

std::string FitReport::brief() const {
  std::ostringstream text;
  text << describe(termination) << '\n'
       << "objective " << objective << " (from " << initial_objective << ") after "
       << iterations.size() << " iterations, " << evaluations << " evaluations and "
       << inner_iterations << " inner iterations, " << seconds << " s\n"
       << "optimizer " << optimizer << ", inner solver " << inner_solver;
  if (coarse_unknowns > 0) text << " preconditioned by " << coarse_unknowns << " unknowns";
  text << ", kernel operator " << kernel_operator;
  if (knots > 0) text << " (" << knots << " per particle)";
  text << ", relative inner residual " << inner_residual
       << (inner_converged ? "" : " (not converged)") << '\n';
  const std::vector<Index> rows = stages();
  if (rows.size() > 1) {
    text << "coarse to fine:";
    for (const Index stage : rows) text << ' ' << stage;
    text << " rows\n";
  }
  return text.str();
}

}  // namespace bkernn
