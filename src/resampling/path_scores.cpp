#include "resampling/path_scores.hpp"

#include <algorithm>
#include <cmath>

namespace bkernn {
namespace {

template <typename Derived>
double error_of_mean(const Eigen::MatrixBase<Derived>& scores) {
  const auto k = static_cast<double>(scores.size());
  const double mean = scores.mean();
  return std::sqrt((scores.array() - mean).square().sum() / (k * (k - 1)));
}

void insert(Vector& values, Index place, double value) {
  Vector longer(values.size() + 1);
  longer << values.head(place), value, values.tail(values.size() - place);
  values = std::move(longer);
}

void choose_points(PathScores& path, const Scorer& scorer) {
  path.best = 0;
  for (Index i = 1; i < path.mean.size(); ++i) {
    if (scorer.better(path.mean(i), path.mean(path.best))) path.best = i;
  }
  const double margin = path.standard_error(path.best);
  const double sign = scorer.higher_is_better ? 1 : -1;
  path.one_standard_error = 0;
  while (sign * (path.mean(path.best) - path.mean(path.one_standard_error)) > margin) {
    ++path.one_standard_error;
  }
}

}  // namespace

void set_point(PathScores& path, double lambda, const PointScores& scores, const Scorer& scorer) {
  const Index place = (path.lambdas.array() > lambda).count(), points = path.lambdas.size();
  if (place == points || path.lambdas(place) != lambda) {
    Matrix all(points + 1, scores.of_folds.size());
    if (points > 0) {
      all.topRows(place) = path.scores.topRows(place);
      all.bottomRows(points - place) = path.scores.bottomRows(points - place);
    }
    path.scores = std::move(all);
    insert(path.lambdas, place, lambda);
    insert(path.mean, place, 0);
    insert(path.standard_error, place, 0);
    insert(path.active, place, 0);
  }
  path.scores.row(place) = scores.of_folds;
  path.mean(place) = scores.of_folds.mean();
  path.standard_error(place) = error_of_mean(scores.of_folds);
  path.active(place) = scores.active;
  choose_points(path, scorer);
}

bool has_passed(const PathScores& path, int patience) {
  const Index last = path.lambdas.size() - 1;
  Index since = path.best;
  while (since < last && path.active(since) == 0) ++since;
  if (patience == 0 || last - since < patience) return false;
  return std::abs(path.mean(last) - path.mean(path.best)) > path.standard_error(path.best);
}

bool clearly_behind(const PathScores& path, const PathScores& leader, const Scorer& scorer) {
  const RowVector behind = (scorer.higher_is_better ? 1 : -1) *
                           (leader.scores.row(leader.best) - path.scores.row(path.best));
  return behind.mean() > error_of_mean(behind);
}

}  // namespace bkernn
