// λ, the penalty and ranks: given, by a rule, or chosen by held-out rows (race.hpp).
#pragma once

#include <memory>
#include <string>

#include "bkernn/observer.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "choice/race.hpp"
#include "problem/fit_problem.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

struct Choice {
  std::string penalty_name;
  std::unique_ptr<Penalty> penalty = nullptr;
  double lambda = 0;              // as the standardized problem sees it (Coordinates::lambda_unit)
  Race race = {};                 // empty if nothing was open
  RowVector quantile_shift = {};  // see race.hpp; empty: none
  std::vector<HeldOutFit> fits = {};  // the same
  // Ranks, and what is best with each; empty: numbers count by their values.
  std::vector<RacedRanks> kinds = {};

  // The same for one of several kinds; `fits` and `race` stay with the first one.
  Choice of_kind(std::size_t kind, const FitProblem& problem) const;
};

Choice choose(const FitProblem& problem, Observer* observer);

// λ of the rule (fit.hpp), for an exact fit.
double rule_lambda(const PreparedData& data, const Loss& loss);

}  // namespace bkernn
