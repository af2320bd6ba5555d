#include "theory/theory_lambda.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/names.hpp"
#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn::theory {

void TheoryOptions::validate() const {
  require(delta > 0 && delta < 1, "delta", delta, "must lie strictly between 0 and 1");
  require(lipschitz >= 0 && std::isfinite(lipschitz), "lipschitz", lipschitz,
          "must be positive, or 0 for that of the loss");
  require(sigma >= 0 && std::isfinite(sigma), "sigma", sigma,
          "must be positive, or 0 for that of the data");
  require_name("complexity", complexity, {"bound", "monte_carlo"});
  monte_carlo.validate();
}

TheoryReport describe_prepared(const StandardRows& rows, double total_weight,
                               const FitOptions& fit_options, const TheoryOptions& options) {
  options.validate();
  require(make_kernel(fit_options.kernel)->homogeneous(), "kernel", fit_options.kernel,
          "the theory is about the brownian kernel");
  const std::unique_ptr<Penalty> penalty =
      make_penalty(candidate_penalties(fit_options.penalty).front());
  const Sphere sphere = penalty->sums_over_particles() ? penalty->particle_norm() : Sphere::l2;
  const Vector weights = rows.s * (total_weight / rows.s.sum());
  TheoryReport report;
  report.terms = empirical_terms(rows.Z, sphere, &weights);
  if (options.sigma > 0) report.terms.sigma = options.sigma;
  report.delta = options.delta;
  report.lipschitz =
      options.lipschitz > 0
          ? options.lipschitz
          : lipschitz_constant(fit_options.loss, fit_options.loss_parameters, rows.Y);
  report.dimension_dependent = dimension_dependent_bound(report.terms);
  report.dimension_independent = dimension_independent_bound(report.terms);
  report.complexity = options.complexity == "bound"
                          ? gaussian_complexity_bound(report.terms)
                          : estimate_gaussian_complexity(rows.Z, sphere, options.monte_carlo).value;
  report.lambda = regularization(report.lipschitz, std::max(1.0, total_weight), report.complexity,
                                 report.terms.sigma, report.delta);
  return report;
}

TheoryReport describe(const FitInput& input, const FitOptions& fit_options,
                      const TheoryOptions& options) {
  fit_options.validate();
  const std::unique_ptr<Loss> loss = make_loss(fit_options.loss, fit_options.loss_parameters);
  FitOptions automatic = fit_options;
  automatic.regularization.reset();
  const PreparedData data = prepare_data(input, automatic, *loss);
  TheoryReport report = describe_prepared(data, data.total_weight, fit_options, options);
  report.regularization = report.lambda * data.lambda_unit();
  return report;
}

}  // namespace bkernn::theory

namespace bkernn {

double theory_regularization(const FitInput& input, const FitOptions& options) {
  return theory::describe(input, options).regularization;
}

}  // namespace bkernn
