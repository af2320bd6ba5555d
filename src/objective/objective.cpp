#include "objective/objective.hpp"

namespace bkernn {

double Objective::evaluate(const Matrix& W, double tolerance, bool verify) {
  inner_ = solve(W, tolerance, verify);
  ++evaluations_;
  inner_iterations_ += inner_.iterations;
  return inner_.value;
}

void Objective::count_from(int evaluations, int inner_iterations) {
  evaluations_ = evaluations;
  inner_iterations_ = inner_iterations;
}

}  // namespace bkernn
