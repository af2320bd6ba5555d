// The fits of one candidate without each fold, at one λ after the other. Folds run in parallel, and
// the loops inside a fold on one thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bkernn/cross_validate.hpp"
#include "bkernn/intervals.hpp"
#include "resampling/folded_rows.hpp"
#include "resampling/path_scores.hpp"
#include "resampling/path_walk.hpp"
#include "resampling/scorer.hpp"
#include "training/fits_watch.hpp"

namespace bkernn {

class FoldFits {
 public:
  // What is given must outlive it. `stages` as for PathWalk.
  FoldFits(const FitInput& input, const FoldedRows& rows, const FitOptions& options, bool stages,
           const Scorer& scorer, FitsWatch& watch);

  // At this λ, from W₀ or, where `on`, from where the last fits ended. Scores mean nothing if the
  // watch has stopped.
  PointScores fit(double lambda, bool on);

  // The same from what each fold has learned of fewer rows.
  PointScores fit_from(const std::vector<Learned>& learned, double lambda);

  // Of the last fits.
  std::vector<Learned> learned() const;
  std::vector<CalibrationPart> calibration_parts() const;

 private:
  PointScores at(const std::function<void(PathWalk&, Index fold)>& fit);

  const FitInput& input_;
  const FoldedRows& rows_;
  const FitOptions options_;
  const bool stages_;
  const Scorer& scorer_;
  FitsWatch& watch_;
  std::vector<std::unique_ptr<PathWalk>> walks_;  // of each fold; null: not yet begun
};

}  // namespace bkernn
