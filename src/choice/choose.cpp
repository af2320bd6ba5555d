#include "choice/choose.hpp"

#include <algorithm>

#include "bkernn/error.hpp"
#include "choice/ranked_rows.hpp"
#include "columns/rank_curves.hpp"
#include "inner/inner_solver.hpp"
#include "problem/make_objective.hpp"
#include "rows/find_coordinates.hpp"
#include "theory/theory_lambda.hpp"

namespace bkernn {
namespace {

constexpr double kRuleFactor = 0.3;  // κ

// `gradient_scale` is g, the root mean square over rows of the loss gradient at the best constant.
double rule_lambda(const Coordinates& coordinates, double gradient_scale, const Loss& loss) {
  const double gradient = gradient_scale > 1e-12 ? gradient_scale : 1.0;
  const double norm = coordinates.largest_norm > 0 ? coordinates.largest_norm : 1.0;
  return kRuleFactor * loss.regularization_factor() * gradient * norm / coordinates.total_weight;
}

double rule_lambda(const Coordinates& coordinates, const StandardRows& rows, const Loss& loss) {
  const InnerSolver constant(loss, rows.Y, rows.s, 1.0, InnerMethod::automatic);
  return rule_lambda(coordinates, constant.gradient_scale(), loss);
}

double rule_lambda(const FitProblem& problem) {
  const Coordinates& coordinates = problem.coordinates;
  const Loss& loss = *problem.parts.loss;
  if (!problem.parts.on_knots) return rule_lambda(coordinates, *problem.shards.here(), loss);
  const double scale = make_objective(problem, 1.0)->gradient_scale();
  return rule_lambda(coordinates, to_float_precision(scale), loss);
}

double theory_lambda(const FitProblem& problem) {
  const FitOptions& options = problem.parts.options;
  const StandardRows* here = problem.shards.here();
  require(here != nullptr, "regularization_rule", options.regularization_rule,
          "needs all rows in one place; take auto or a number");
  return theory::describe_prepared(*here, problem.coordinates.total_weight, options, {}).lambda;
}

// 0 if it is open.
double given_lambda(const FitProblem& problem) {
  const FitOptions& options = problem.parts.options;
  if (options.regularization) return *options.regularization / problem.coordinates.lambda_unit();
  if (options.regularization_rule == "theory") return theory_lambda(problem);
  const bool open = options.regularization_rule == "auto" && problem.n() >= kFewestRaceRows;
  return open ? 0 : rule_lambda(problem);
}

// Whether ranks can be learned here, and new rows be encoded by them.
bool can_rank(const FitProblem& problem) {
  return problem.shards.here() != nullptr && problem.encoder != nullptr;
}

bool ranks_are_open(const FitProblem& problem) {
  const FitOptions& options = problem.parts.options;
  return options.ranks == "auto" && can_rank(problem) && options.standardize &&
         options.init.size() == 0 && !problem.parts.on_knots && problem.subspace.size() == 0;
}

// In the order of the race.
std::vector<std::string> candidate_ranks(const FitProblem& problem, bool races) {
  const FitOptions& options = problem.parts.options;
  if (problem.encoder != nullptr && problem.encoder->bends()) return {"none"};  // they are ranks
  if (options.ranks == "auto")
    return races && ranks_are_open(problem) ? rank_names() : std::vector<std::string>{"none"};
  require(options.ranks == "none" || can_rank(problem), "ranks", options.ranks,
          problem.shards.here() == nullptr ? "needs all rows in one place"
                                           : "needs an encoder, by which new rows are ranked");
  return {options.ranks};
}

}  // namespace

double rule_lambda(const PreparedData& data, const Loss& loss) {
  return rule_lambda(data, data, loss);
}

Choice Choice::of_kind(std::size_t kind, const FitProblem& problem) const {
  const RacedRanks& one = kinds[kind];
  Choice choice{.penalty_name = one.penalty, .lambda = one.lambda};
  choice.quantile_shift = quantile_shift;
  if (kind == 0) {
    choice.race = race;
    choice.fits = fits;
  }
  choice.penalty =
      make_penalty(one.penalty, problem.parts.options.concavity, problem.coordinates.groups);
  return choice;
}

Choice choose(const FitProblem& problem, Observer* observer) {
  const FitOptions& options = problem.parts.options;
  RaceEntries entries{candidate_penalties(options.penalty, problem.parts.loss->coupled()),
                      given_lambda(problem)};
  if (problem.n() < kFewestRaceRows) entries.penalties.resize(1);
  const bool races = entries.lambda == 0 || entries.penalties.size() > 1;
  entries.ranks = candidate_ranks(problem, races);
  if (options.n_directions == 0 && options.intervals == "none")
    entries.most_kinds = options.n_models;
  Choice choice{.penalty_name = entries.penalties.front(), .lambda = entries.lambda};
  if (races) {
    RaceOutcome outcome = race(problem, entries, observer);
    choice.race = std::move(outcome.race);
    choice.quantile_shift = std::move(outcome.quantile_shift);
    choice.fits = std::move(outcome.fits);
    choice.kinds = std::move(outcome.kinds);
    if (observer != nullptr) observer->on_choice(choice.race);
    choice.penalty_name = choice.race.penalty;
    choice.lambda = choice.race.lambda;
  } else if (entries.ranks.front() != "none") {
    const StandardRows rows =
        sample(problem, std::min(problem.n(), most_race_rows(*problem.parts.loss)), options.seed);
    choice.kinds = {{entries.ranks.front(), choice.penalty_name, choice.lambda, 1,
                     rank_columns(problem, rows, entries.ranks.front())}};
  }
  if (choice.kinds.size() == 1 && choice.kinds.front().encoder.empty()) choice.kinds.clear();
  choice.penalty = make_penalty(choice.penalty_name, options.concavity, problem.coordinates.groups);
  return choice;
}

}  // namespace bkernn
