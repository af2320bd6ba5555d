#include "choice/count.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "bkernn/penalty.hpp"
#include "problem/make_objective.hpp"

namespace bkernn {
namespace {

constexpr double kSure = 0.4;        // of the largest
constexpr double kErrors = 2;        // standard errors
constexpr Index kMostJudged = 12;    // more are not worth their time
constexpr double kTolerance = 1e-3;  // of the inner problem

// W on its k leading directions.
Matrix on_directions(const Matrix& W, Index k) {
  const LeftSingular svd = left_singular(W);
  const auto P = svd.vectors.leftCols(std::min(k, svd.vectors.cols()));
  return P * (P.transpose() * W);
}

// W on these variables; `groups` as in penalty.hpp.
Matrix on_variables(const Matrix& W, const std::vector<Index>& kept,
                    const std::vector<Index>& groups) {
  Matrix on = Matrix::Zero(W.rows(), W.cols());
  for (const Index a : kept) {
    const Index begin = groups.empty() ? a : groups[a];
    const Index rows = groups.empty() ? 1 : groups[a + 1] - begin;
    on.middleRows(begin, rows) = W.middleRows(begin, rows);
  }
  return on;
}

// The k largest, of equal ones the first.
std::vector<Index> leading(const Vector& sizes, Index k) {
  std::vector<Index> order(sizes.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return sizes(a) > sizes(b); });
  order.resize(k);
  return order;
}

// Losses of the held-out rows of a fit with W on so many leading directions, or variables.
std::vector<Vector> losses(const FitProblem& problem, const HeldOutFit& fit, bool variables,
                           const Vector& sizes, const std::vector<Index>& numbers) {
  const std::unique_ptr<Objective> objective =
      make_sample_objective(problem.parts, fit.training, fit.lambda);
  std::vector<Vector> found;
  for (const Index k : numbers) {
    const Matrix W = variables ? on_variables(fit.W, leading(sizes, k), problem.coordinates.groups)
                               : on_directions(fit.W, k);
    objective->evaluate(W, kTolerance);
    objective->keep();
    const Matrix F = objective->predict(fit.held_out.Z);
    found.push_back(row_losses(*problem.parts.loss, fit.held_out.Y, F));
  }
  return found;
}

Index count(const FitProblem& problem, const std::vector<HeldOutFit>& fits, bool variables,
            const Vector& sizes) {
  const Index last = dimension_of(sizes);
  const Index first = std::max<Index>(dimension_of(sizes, kSure), 1);
  if (first >= std::min(last, kMostJudged)) return last;
  std::vector<Index> numbers(std::min(last, kMostJudged) - first);
  std::iota(numbers.begin(), numbers.end(), first);
  numbers.push_back(last);
  std::vector<std::vector<Vector>> found(fits.size());
  const double cost = 1e9;  // worth all threads
  parallel_for(static_cast<Index>(fits.size()), cost, [&](Index one) {
    found[one] = losses(problem, fits[one], variables, sizes, numbers);
  });
  std::vector<Vector> weights(fits.size());
  std::transform(fits.begin(), fits.end(), weights.begin(),
                 [](const HeldOutFit& fit) { return fit.held_out.s; });
  const Vector s = joined(weights);
  std::vector<Vector> of_numbers(numbers.size()), parts(found.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t fit = 0; fit < found.size(); ++fit) parts[fit] = found[fit][i];
    of_numbers[i] = joined(parts);
  }
  const auto least =
      std::min_element(of_numbers.begin(), of_numbers.end(),
                       [&](const Vector& a, const Vector& b) { return s.dot(a) < s.dot(b); });
  const auto best = std::find_if(of_numbers.begin(), of_numbers.end(), [&](const Vector& one) {
    const Difference behind = compare(one, *least, s);
    return behind.mean <= kErrors * behind.error;
  });
  return numbers[best - of_numbers.begin()];
}

}  // namespace

Counted count(const Model& model, const FitProblem& problem, const std::vector<HeldOutFit>& fits) {
  return {count(problem, fits, false, model.singular_values()),
          count(problem, fits, true, model.importances())};
}

}  // namespace bkernn
