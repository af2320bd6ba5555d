#include "fit/sample.hpp"

#include "rows/row_order.hpp"

namespace bkernn {

StandardRows sample(const FitProblem& problem, Index count, std::uint64_t seed) {
  const StandardRows* here = problem.shards.here();
  if (here == nullptr || problem.parts.on_knots)
    return sample_rows(problem.shards, problem.n(), count, seed);
  std::vector<Index>& order = problem.order;
  if (order.empty()) order = row_order(*here);
  return select(*here, count == problem.n() ? order : draw_along(order, count, seed));
}

}  // namespace bkernn
