#include "resampling/fold_fits.hpp"

#include <numeric>

#include "base/active_columns.hpp"
#include "base/parallel.hpp"
#include "calibration/calibrate.hpp"

namespace bkernn {
namespace {

constexpr double kRoundOfFits = 1e9;  // worth all threads

}  // namespace

FoldFits::FoldFits(const FitInput& input, const FoldedRows& rows, const FitOptions& options,
                   bool stages, const Scorer& scorer, FitsWatch& watch)
    : input_(input),
      rows_(rows),
      options_(options),
      stages_(stages),
      scorer_(scorer),
      watch_(watch),
      walks_(rows.held_out.size()) {}

PointScores FoldFits::fit(double lambda, bool on) {
  return at([&](PathWalk& walk, Index) {
    on ? walk.fit_on(lambda, &watch_) : walk.fit(lambda, &watch_);
  });
}

PointScores FoldFits::fit_from(const std::vector<Learned>& learned, double lambda) {
  return at([&](PathWalk& walk, Index fold) { walk.fit_from(learned[fold], lambda, &watch_); });
}

PointScores FoldFits::at(const std::function<void(PathWalk&, Index fold)>& fit) {
  const auto k = static_cast<Index>(walks_.size());
  RowVector scores = RowVector::Zero(k), active = RowVector::Zero(k);
  std::vector<int> evaluations(k, 0), inner_iterations(k, 0);
  parallel_for(k, kRoundOfFits, [&](Index fold) {
    if (watch_.stopped) return;
    std::unique_ptr<PathWalk>& walk = walks_[fold];
    if (!walk) {
      walk = std::make_unique<PathWalk>(input_, rows_.without(static_cast<int>(fold)), options_,
                                        stages_);
    }
    fit(*walk, fold);
    evaluations[fold] = walk->report().evaluations;
    inner_iterations[fold] = walk->report().inner_iterations;
    active(fold) = static_cast<double>(active_columns(walk->W()).size());
    const HeldOutRows& test = rows_.held_out[fold];
    scores(fold) = scorer_.score(test.Y, walk->predict(test.X), test.rows.weights_or_null());
  });
  return {scores, active.mean(), std::accumulate(evaluations.begin(), evaluations.end(), 0),
          std::accumulate(inner_iterations.begin(), inner_iterations.end(), 0)};
}

std::vector<Learned> FoldFits::learned() const {
  std::vector<Learned> all;
  for (const auto& walk : walks_) all.push_back(walk->learned());
  return all;
}

std::vector<CalibrationPart> FoldFits::calibration_parts() const {
  std::vector<CalibrationPart> parts(walks_.size());
  parallel_for(static_cast<Index>(walks_.size()), kRoundOfFits, [&](Index fold) {
    Model model = fold_model(walks_[fold]->model(), input_, rows_.without(static_cast<int>(fold)));
    const bool classes = model.n_classes() > 0;
    parts[fold] = calibration_part(std::move(model), input_, rows_.held_out[fold].rows, classes);
  });
  return parts;
}

}  // namespace bkernn
