#include "choice/count.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "bkernn/penalty.hpp"
#include "problem/make_objective.hpp"

namespace bkernn {
namespace {

constexpr double kSure = 0.25;       // of the largest: counted, whatever held-out rows say
constexpr Index kMostJudged = 12;    // more than these are not worth their time
constexpr double kTolerance = 1e-3;  // of the inner problem
constexpr double kAlike = 1e-7;      // losses, relatively

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

// Loss of the held-out rows of a fit with k = first, …, last leading directions or variables.
Vector losses(const FitProblem& problem, const HeldOutFit& fit, bool variables, Index first,
              Index last) {
  const Loss& loss = *problem.parts.loss;
  const std::unique_ptr<Objective> objective =
      make_sample_objective(problem.parts, fit.training, fit.lambda);
  Vector sums(last - first + 1);
  for (Index k = first; k <= last; ++k) {
    objective->evaluate(variables ? on_variables(fit.W, k, problem.coordinates.groups)
                                  : on_directions(fit.W, k),
                        kTolerance);
    objective->keep();
    sums(k - first) =
        loss.value(fit.held_out.Y, objective->predict(fit.held_out.Z), fit.held_out.s);
  }
  return sums;
}

Index count(const FitProblem& problem, const std::vector<HeldOutFit>& fits, bool variables,
            const Vector& sizes) {
  const Index last = dimension_of(sizes);
  const Index first = std::max<Index>(dimension_of(sizes, kSure), 1);
  if (fits.empty() || first >= last || last > kMostJudged) return last;
  std::vector<Vector> of_fits(fits.size());
  const double cost = 1e9;  // worth all threads
  parallel_for(static_cast<Index>(fits.size()), cost, [&](Index one) {
    of_fits[one] = losses(problem, fits[one], variables, first, last);
  });
  Vector sums = Vector::Zero(last - first + 1);
  for (const Vector& one : of_fits) sums += one;
  const double least = sums.minCoeff();
  const auto best = std::find_if(sums.begin(), sums.end(), [&](double sum) {
    return sum <= least + kAlike * std::abs(least);
  });
  return first + std::distance(sums.begin(), best);
}

}  // namespace

Counted count(const Model& model, const FitProblem& problem, const std::vector<HeldOutFit>& fits) {
  return {count(problem, fits, false, model.singular_values()),
          count(problem, fits, true, model.importances())};
}

}  // namespace bkernn
