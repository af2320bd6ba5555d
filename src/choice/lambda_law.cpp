#include "choice/lambda_law.hpp"

#include <algorithm>
#include <cmath>

#include "inner/inner_solver.hpp"

namespace bkernn {
namespace {

constexpr double kLaw = 0.4, kCoupledLaw = 0.65;
constexpr double kLikely = 0.02;
constexpr double kCoupledFactor = 1.1;

}  // namespace

double lambda_of_part(double share, const Loss& loss) {
  return std::pow(share, loss.coupled() ? -kCoupledLaw : -kLaw);
}

double lambda_of_part(double share, const FitOptions& options) {
  return lambda_of_part(share, *make_loss(options.loss, options.loss_parameters));
}

double likely_lambda(const Loss& loss, const StandardRows& rows, double total_weight) {
  const InnerSolver constant(loss, rows.Y, rows.s, 1.0, InnerMethod::automatic);
  const double norm = std::sqrt(rows.s.dot(rows.Z.rowwise().squaredNorm()) / rows.s.sum());
  const double factor = loss.coupled() ? kCoupledFactor : loss.regularization_factor();
  return kLikely * factor * std::max(constant.gradient_scale(), 1e-12) * (norm > 0 ? norm : 1.0) *
         lambda_of_part(total_weight, loss);
}

double stage_lambda(double lambda, double share, const Loss& loss, const StandardRows& rows) {
  const double likely = likely_lambda(loss, rows, rows.s.sum());
  return std::clamp(likely, lambda * lambda_of_part(share, loss), lambda / share);
}

}  // namespace bkernn
