#include "choice/count.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "bkernn/penalty.hpp"
#include "problem/make_objective.hpp"

namespace bkernn {
namespace {

constexpr double kSure = 0.4;        // of the largest
constexpr Index kMostJudged = 12;    // more are not worth their time
constexpr double kTolerance = 1e-3;  // of the inner problem

// W on its k leading directions.
Matrix on_directions(const Matrix& W, Index k) {
  const LeftSingular svd = left_singular(W);
  const auto P = svd.vectors.leftCols(std::min(k, svd.vectors.cols()));
  return P * (P.transpose() * W);
}

// W on its k leading variables; `groups` as in penalty.hpp.
Matrix on_variables(const Matrix& W, Index k, const std::vector<Index>& groups) {
  const auto begin = [&](Index a) { return groups.empty() ? a : groups[a]; };
  const auto rows = [&](Index a) { return begin(a + 1) - begin(a); };
  std::vector<Index> order(groups.empty() ? W.rows() : groups.size() - 1);
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<double> sizes;
  for (const Index a : order) sizes.push_back(W.middleRows(begin(a), rows(a)).norm());
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return sizes[a] > sizes[b]; });
  order.resize(std::min<std::size_t>(k, order.size()));
  Matrix kept = Matrix::Zero(W.rows(), W.cols());
  for (const Index a : order) kept.middleRows(begin(a), rows(a)) = W.middleRows(begin(a), rows(a));
  return kept;
}

// Losses of the held-out rows of a fit with so many leading directions or variables.
std::vector<Vector> losses(const FitProblem& problem, const HeldOutFit& fit, bool variables,
                           const std::vector<Index>& numbers) {
  const std::unique_ptr<Objective> objective =
      make_sample_objective(problem.parts, fit.training, fit.lambda);
  std::vector<Vector> found;
  for (const Index k : numbers) {
    objective->evaluate(
        variables ? on_variables(fit.W, k, problem.coordinates.groups) : on_directions(fit.W, k),
        kTolerance);
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
  std::vector<Index> numbers;
  for (Index k = first; k < std::min(last, kMostJudged); ++k) numbers.push_back(k);
  numbers.push_back(last);
  std::vector<std::vector<Vector>> found(fits.size());
  const double cost = 1e9;  // worth all threads
  parallel_for(static_cast<Index>(fits.size()), cost,
               [&](Index one) { found[one] = losses(problem, fits[one], variables, numbers); });
  std::vector<Vector> weights;
  for (const HeldOutFit& fit : fits) weights.push_back(fit.held_out.s);
  const Vector s = joined(weights);
  std::vector<Vector> of_numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<Vector> parts;
    for (const std::vector<Vector>& one : found) parts.push_back(one[i]);
    of_numbers.push_back(joined(parts));
  }
  const auto least =
      std::min_element(of_numbers.begin(), of_numbers.end(),
                       [&](const Vector& a, const Vector& b) { return s.dot(a) < s.dot(b); });
  const auto best = std::find_if(of_numbers.begin(), of_numbers.end(), [&](const Vector& one) {
    const Difference behind = compare(one, *least, s);
    return behind.mean <= behind.error;
  });
  return numbers[best - of_numbers.begin()];
}

}  // namespace

Counted count(const Model& model, const FitProblem& problem, const std::vector<HeldOutFit>& fits) {
  return {count(problem, fits, false, model.singular_values()),
          count(problem, fits, true, model.importances())};
}

}  // namespace bkernn
