#include "choice/lambda_law.hpp"

#include <algorithm>
#include <cmath>

#include "inner/inner_solver.hpp"

namespace bkernn {
namespace {

constexpr double kLaw = 0.4;
constexpr double kLikely = 0.02;
constexpr double kCoupledFactor = 0.2;

}  // namespace

double lambda_of_part(double share) {
  return std::pow(share, -kLaw);
}

double likely_lambda(const Loss& loss, const StandardRows& rows, double total_weight) {
  const InnerSolver constant(loss, rows.Y, rows.s, 1.0, InnerMethod::automatic);
  const double norm = std::sqrt(rows.s.dot(rows.Z.rowwise().squaredNorm()) / rows.s.sum());
  const double factor = loss.coupled() ? kCoupledFactor : loss.regularization_factor();
  return kLikely * factor * std::max(constant.gradient_scale(), 1e-12) * (norm > 0 ? norm : 1.0) *
         std::pow(total_weight, -kLaw);
}

double stage_lambda(double lambda, double share, const Loss& loss, const StandardRows& rows) {
  const double likely = likely_lambda(loss, rows, rows.s.sum());
  return std::clamp(likely, lambda * lambda_of_part(share), lambda / share);
}

}  // namespace bkernn
