#include "choice/critical_lambda.hpp"

#include <cmath>

#include "base/rng.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"
#include "inner/inner_solver.hpp"
#include "theory/theory_ascent.hpp"

namespace bkernn {

double critical_lambda(const StandardRows& rows, const std::vector<Index>& groups,
                       const FitOptions& options, const Loss& loss) {
  const std::unique_ptr<Penalty> penalty =
      make_penalty(candidate_penalties(options.penalty).front(), options.concavity, groups);
  const InnerSolver constant(loss, rows.Y, rows.s, 1.0, InnerMethod::automatic);
  const Matrix F = constant.best_constant().replicate(rows.Y.rows(), 1);
  Matrix gradient, curvature;
  loss.derivatives(rows.Y, F, rows.s, gradient, curvature);
  gradient.rowwise() -= gradient.colwise().mean().eval();
  Rng rng(options.seed);
  const theory::SphereMaximum found =
      theory::maximize_on_sphere(rows.Z, gradient, penalty->particle_norm(), 8, 100, rng);
  const double square = found.value / (options.penalty_weight > 0 ? options.penalty_weight : 1.0) *
                        make_kernel(options.kernel)->brownian_bound();
  return std::sqrt(square) / static_cast<double>(rows.Y.rows());
}

}  // namespace bkernn
