#include "objective.hpp"

namespace bkernn {

double Objective::evaluate(const Matrix& W, double tolerance, bool verify) {
  K_.set_particles(W);
  trial_.alpha = kept_.alpha;
  trial_.intercept = kept_.intercept;
  inner_.solve(K_, tolerance, trial_, verify);
  ++evaluations_;
  inner_iterations_ += trial_.iterations;
  return trial_.value;
}

void Objective::restore(const Matrix& W, const InnerSolver::Coarse& coarse, Matrix alpha,
                        RowVector intercept) {
  inner_.restore(K_, coarse);
  K_.set_particles(W);
  trial_.alpha = std::move(alpha);
  trial_.intercept = std::move(intercept);
  keep();
}

void Objective::count_from(int evaluations, int inner_iterations) {
  evaluations_ = evaluations;
  inner_iterations_ = inner_iterations;
}

}  // namespace bkernn
