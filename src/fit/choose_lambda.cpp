#include "fit/choose_lambda.hpp"

#include "bkernn/error.hpp"
#include "fit/make_objective.hpp"
#include "inner/inner_solver.hpp"
#include "rows/find_coordinates.hpp"
#include "theory/theory_lambda.hpp"

namespace bkernn {
namespace {

constexpr double kAutomaticFactor = 0.3;  // κ

// `gradient_scale` is g, the root mean square over rows of the loss gradient at the best constant.
double automatic_lambda(const Coordinates& coordinates, double gradient_scale, const Loss& loss) {
  const double gradient = gradient_scale > 1e-12 ? gradient_scale : 1.0;
  const double norm = coordinates.largest_norm > 0 ? coordinates.largest_norm : 1.0;
  return kAutomaticFactor * loss.regularization_factor() * gradient * norm /
         coordinates.total_weight;
}

double automatic_lambda(const Coordinates& coordinates, const StandardRows& rows,
                        const Loss& loss) {
  const InnerSolver constant(loss, rows.Y, rows.s, 1.0, InnerMethod::automatic);
  return automatic_lambda(coordinates, constant.gradient_scale(), loss);
}

}  // namespace

double automatic_lambda(const PreparedData& data, const Loss& loss) {
  return automatic_lambda(data, data, loss);
}

double choose_lambda(const FitProblem& problem) {
  const FitOptions& options = problem.parts.options;
  const Coordinates& coordinates = problem.coordinates;
  if (options.regularization) return *options.regularization / coordinates.lambda_unit();
  const StandardRows* here = problem.shards.here();
  if (options.regularization_rule == "theory") {
    require(here != nullptr, "regularization_rule", options.regularization_rule,
            "needs all rows in one place; take auto or a number");
    return theory::describe_prepared(*here, coordinates.total_weight, options, {}).lambda;
  }
  const Loss& loss = *problem.parts.loss;
  if (!problem.parts.on_knots) return automatic_lambda(coordinates, *here, loss);
  const double scale = make_objective(problem, 1.0)->gradient_scale();
  return automatic_lambda(coordinates, to_float_precision(scale), loss);
}

}  // namespace bkernn
