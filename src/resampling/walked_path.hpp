// One candidate of a cross-validation on some rows: the λ that it has visited.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "bkernn/cross_validate.hpp"
#include "resampling/fold_fits.hpp"

namespace bkernn {

// What all walks of a cross-validation share.
struct Study {
  const FitInput& input;
  const CrossValidateOptions& options;
  const Scorer& scorer;
  CrossValidateObserver* observer;
  FitsWatch& watch;
  int n_candidates;
  int done = 0, most = 0;  // points visited, and at most, in all walks
  int evaluations = 0, inner_iterations = 0;
};

class WalkedPath {
 public:
  enum class Rows { all, sample };

  WalkedPath(Study& study, const FoldedRows& rows, const FitOptions& candidate, int number,
             Rows which);

  // On all rows, after `sample` has walked on so much of their weight. Its fits begin where those
  // of the sample ended.
  WalkedPath(Study& study, const FoldedRows& rows, const WalkedPath& sample, double share);

  // From the largest λ to the smallest, until the score has clearly passed its best.
  void descend(const Vector& lambdas);

  // One λ; on all rows that of the sample's best. False if the watch has stopped.
  bool visit(double lambda);
  bool visit_best_of_sample();

  // From the best λ up by twos while that helps, or else down; and further up, if a larger λ may
  // be chosen because it is within one standard error. With a concave penalty it never goes down
  // on all rows: fits that stop early favor a small λ, with which the last fit, which does not, may
  // learn noise.
  void climb();

  // The best λ once more, with fits that go as far as the last fit may: those that stop early look
  // better than they are in the end where noise dominates, those of concave penalties above all.
  void finish();
  bool finished() const;

  // Frees what the fits hold.
  void end() { fits_.reset(); }

  // What the folds have learned at the visited λ nearest to this one.
  const std::vector<Learned>& learned_near(double lambda) const;

  // The calibration of this point, if intervals take the folds and it may be chosen; else empty.
  std::vector<CalibrationPart> parts_at(double lambda) const;

  const PathScores& scores() const { return scores_; }
  double best_lambda() const { return scores_.lambdas(scores_.best); }

 private:
  // λ = 1 here is `sample_factor` on the sample, if there is one.
  WalkedPath(Study& study, const FoldedRows& rows, const FitOptions& candidate, int number,
             Rows which, const WalkedPath* sample, double sample_factor);

  bool take(double lambda, const PointScores& point);
  void remember(double lambda);
  void report(double lambda);

  Study& study_;
  const FoldedRows& rows_;
  const Rows which_;
  const WalkedPath* const sample_;
  const double sample_factor_;
  PathScores scores_;
  std::unique_ptr<FoldFits> fits_;
  int n_points_;  // at most
  std::map<double, std::vector<CalibrationPart>> parts_;
  std::map<double, std::vector<Learned>> learned_;
  std::set<double> finished_;
};

}  // namespace bkernn
