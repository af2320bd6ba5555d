// λ and the penalty: given, by a rule, or chosen by held-out rows (race.hpp).
#pragma once

#include <memory>
#include <string>

#include "bkernn/observer.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "choice/held_out.hpp"
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
};

Choice choose(const FitProblem& problem, Observer* observer);

// λ of the rule (fit.hpp), for an exact fit.
double rule_lambda(const PreparedData& data, const Loss& loss);

}  // namespace bkernn
