#include "outer/stages.hpp"

#include <algorithm>

#include "base/many_rows.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

constexpr Index kFirstRows = 2000;
constexpr Index kFirstRowsPerVariable = 20;
constexpr Index kGrowth = 5;
constexpr Index kLastGrowth = 4;    // to all rows
constexpr Index kKnotRows = 20000;  // at most, in a sample before a last stage on knots

}  // namespace

std::vector<Index> stage_rows(const FitOptions& options, Index n, Index d, bool knots) {
  std::vector<Index> rows;
  const bool wanted = options.schedule == "coarse_to_fine" ||
                      (options.schedule == "auto" &&
                       make_step_rule(options.optimizer)->allows_samples() && options.tol > 0);
  if (wanted) {
    const Index first = std::max(kFirstRows, kFirstRowsPerVariable * d);
    // On knots a step takes long even for few rows: a quarter more than the sample is enough.
    const Index most = knots ? std::min(n * 4 / 5, kKnotRows) : n / kLastGrowth;
    for (Index some = first; some <= most / 2; some *= kGrowth) rows.push_back(some);
    if (first <= most) rows.push_back(most);
  }
  rows.push_back(n);
  return rows;
}

bool takes_few_steps(Index n, bool knots) {
  return knots || many_rows(n);
}

OptimizerState next_stage(const OptimizerState& state, const Matrix& initial) {
  const bool trivial = (state.W.array() == 0).all();
  OptimizerState next;
  next.stage = state.stage + 1;
  next.iteration = next.stage_begin = state.iteration;
  next.evaluations = state.evaluations;
  next.inner_iterations = state.inner_iterations;
  next.records = state.records;
  next.W = trivial ? initial : state.W;
  next.step = trivial ? 0 : state.step;
  if (!trivial) next.pairs = state.pairs;
  return next;
}

}  // namespace bkernn
