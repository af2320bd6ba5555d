#include "bkernn/report.hpp"

#include <cmath>
#include <set>
#include <sstream>

namespace bkernn {
namespace {

std::string percent(double share) {
  std::ostringstream text;
  text.precision(2);
  text << 100 * share << " %";
  return text.str();
}

}  // namespace

std::string describe(Termination why) {
  switch (why) {
    case Termination::converged:
      return "converged: no step promises to lower the objective by more than the tolerance";
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

const RacePoint* Race::best_of(const std::string& name) const {
  const RacePoint* least = nullptr;
  for (const RacePoint& one : points) {
    if (one.penalty == name && one.ranks == ranks && !one.dropped &&
        (least == nullptr || one.loss < least->loss))
      least = &one;
  }
  return least;
}

std::string Race::brief() const {
  if (empty()) return "";
  std::ostringstream text;
  text.precision(3);
  text << "chosen by held-out rows (" << points.size() << " tried on " << rows << " rows): ";
  if (constant) {
    text << "the constant, held-out loss " << constant_loss << "; nothing is clearly better\n";
    return text.str();
  }
  const RacePoint& winner = points[best];
  text << winner.penalty << ", regularization " << winner.regularization;
  if (winner.ranks != "none") text << ", numbers by " << winner.ranks << " ranks";
  text << "; held-out loss " << winner.loss << " (constant " << constant_loss;
  std::set<std::string> others;
  for (const RacePoint& one : points) {
    if (one.ranks == winner.ranks) others.insert(one.penalty);
  }
  others.erase(winner.penalty);
  for (const std::string& name : others) {
    const RacePoint* other = best_of(name);
    text << ", " << name << ' ';
    other == nullptr ? text << "clearly more" : text << other->loss << " ± " << other->error;
  }
  text << ")\n";
  return text.str();
}

std::string FitReport::warning() const {
  const bool stuck = termination == Termination::stalled;
  if (termination != Termination::max_iterations && !stuck) return "";
  std::ostringstream text;
  text << (stuck ? "the fit stalled" : "the fit did not converge") << " after " << iterations.size()
       << " iterations";
  if (std::isfinite(promised_decrease))
    text << ": the next step promises to lower the objective by " << percent(promised_decrease);
  if (stuck && std::isfinite(promised_decrease)) text << ", but no step does";
  text << (stuck ? "; try another seed" : "; increase max_iter, or tol");
  return text.str();
}

std::vector<Index> FitReport::stages() const {
  std::vector<Index> found;
  const auto add = [&found](Index stage) {
    if (stage > 0 && (found.empty() || found.back() != stage)) found.push_back(stage);
  };
  for (const IterationRecord& record : iterations) add(record.rows);
  add(rows);
  return found;
}

std::string FitReport::brief() const {
  std::ostringstream text;
  text << describe(termination) << '\n'
       << "objective " << objective << " (from " << initial_objective << ") after "
       << iterations.size() << " iterations, " << evaluations << " evaluations and "
       << inner_iterations << " inner iterations, " << seconds << " s\n";
  if (std::isfinite(promised_decrease))
    text << "the next step promises to lower it by " << percent(promised_decrease) << '\n';
  text << "optimizer " << optimizer << ", inner solver " << inner_solver;
  if (coarse_unknowns > 0) text << " preconditioned by " << coarse_unknowns << " unknowns";
  text << ", kernel operator " << kernel_operator;
  if (knots > 0) text << " (" << knots << " per particle)";
  text << ", relative inner residual " << inner_residual
       << (inner_converged ? "" : " (not converged)") << '\n';
  const std::vector<Index> found = stages();
  if (found.size() > 1) {
    text << "coarse to fine:";
    for (const Index stage : found) text << ' ' << stage;
    text << " rows\n";
  }
  text << race.brief();
  if (!refit.empty()) text << "within the leading directions: " << refit.brief();
  return text.str();
}

}  // namespace bkernn
