#include "resampling/walked_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bkernn/penalty.hpp"
#include "choice/lambda_law.hpp"

namespace bkernn {
namespace {

constexpr int kMostSteps = 6;  // of a climb, up or down
constexpr int kPointsOfClimb = 1 + 2 * kMostSteps;
constexpr double kClimb = 2;           // λ of a step
constexpr double kNear = 4.5;          // times the best λ of a sample, whose neighbors are kept
constexpr int kMostIterations = 100;   // of fits that are finished
constexpr int kTaughtIterations = 15;  // of a stage, of fits that a sample has taught

// As candidates are fitted inside a fold. Few rows are faster without knots.
FitOptions inside(FitOptions options, int iterations, bool sample) {
  if (iterations > 0) options.max_iter = std::min(options.max_iter, iterations);
  options.early_stopping = false;
  if (sample) options.knots = 0;
  if (sample && options.kernel_operator == "knots") options.kernel_operator = "auto";
  return options;
}

bool is_convex(const FitOptions& options) {
  const std::unique_ptr<Penalty> penalty = make_penalty(options.penalty, options.concavity);
  const Matrix one = Matrix::Ones(1, 1);
  return penalty->value(one) == penalty->convex()->value(one);
}

int taught_iterations(int asked) {
  return asked > 0 ? std::min(asked, kTaughtIterations) : asked;
}

// Intervals of the last fit come from the fits without a fold that the path consists of, at the
// point that is chosen. (An ensemble fits its own; a second fit within directions is not theirs.)
bool takes_folds(const FitOptions& options, const CrossValidateOptions& how) {
  return options.intervals == "cross" && !how.ensemble && options.n_directions == 0 &&
         options.n_models == 1 && !options.early_stopping;
}

}  // namespace

WalkedPath::WalkedPath(Study& study, const FoldedRows& rows, const FitOptions& candidate,
                       int number, Rows which)
    : WalkedPath(study, rows, candidate, number, which, nullptr, 1) {}

WalkedPath::WalkedPath(Study& study, const FoldedRows& rows, const WalkedPath& sample, double share)
    : WalkedPath(study, rows, sample.scores_.options, sample.scores_.candidate, Rows::all, &sample,
                 lambda_of_part(share, sample.scores_.options)) {}

WalkedPath::WalkedPath(Study& study, const FoldedRows& rows, const FitOptions& candidate,
                       int number, Rows which, const WalkedPath* sample, double sample_factor)
    : study_(study),
      rows_(rows),
      which_(which),
      sample_(sample),
      sample_factor_(sample_factor),
      n_points_(kPointsOfClimb) {
  const int asked = study.options.fold_iterations;
  const int iterations = sample != nullptr ? taught_iterations(asked) : asked;
  fits_ = std::make_unique<FoldFits>(study.input, rows,
                                     inside(candidate, iterations, which == Rows::sample),
                                     sample != nullptr, study.scorer, study.watch);
  scores_.options = candidate;
  scores_.candidate = number;
  scores_.rows = rows.rows.size();
}

void WalkedPath::descend(const Vector& lambdas) {
  n_points_ = static_cast<int>(lambdas.size());
  study_.most = study_.done + n_points_ * (study_.n_candidates - scores_.candidate);
  if (which_ == Rows::sample) study_.most += kPointsOfClimb;
  for (const double lambda : lambdas) {
    if (!visit(lambda) || has_passed(scores_, study_.options.patience)) break;
  }
}

bool WalkedPath::visit_best_of_sample() {
  return sample_ != nullptr && visit(sample_->best_lambda() / sample_factor_);
}

bool WalkedPath::visit(double lambda) {
  const PointScores point =
      sample_ ? fits_->fit_from(sample_->learned_near(lambda * sample_factor_), lambda)
              : fits_->fit(lambda, study_.options.start == "previous");
  if (!take(lambda, point)) return false;
  remember(lambda);
  report(lambda);
  return !study_.watch.stopped;
}

bool WalkedPath::take(double lambda, const PointScores& point) {
  study_.evaluations += point.evaluations;
  study_.inner_iterations += point.inner_iterations;
  if (study_.watch.stopped) return false;
  set_point(scores_, lambda, point, study_.scorer);
  return true;
}

void WalkedPath::finish() {
  const double lambda = best_lambda();
  FoldFits fits(study_.input, rows_, inside(scores_.options, kMostIterations, true), false,
                study_.scorer, study_.watch);
  if (take(lambda, fits.fit(lambda, false))) report(lambda);
  finished_.insert(lambda);
}

bool WalkedPath::finished() const {
  const int asked = study_.options.fold_iterations;
  return asked == 0 || asked >= kMostIterations || finished_.contains(best_lambda());
}

void WalkedPath::climb() {
  const double begin = best_lambda();
  for (const double factor : {kClimb, 1 / kClimb}) {
    if (factor < 1 && which_ == Rows::all && !is_convex(scores_.options)) break;
    for (int step = 0; step < kMostSteps; ++step) {
      const double next = factor * best_lambda();
      if (!visit(next)) return;
      if (best_lambda() != next) break;
    }
    if (best_lambda() != begin) break;
  }
  for (int step = 0; study_.options.one_standard_error && step < kMostSteps; ++step) {
    if (scores_.one_standard_error > 0 || !visit(kClimb * scores_.lambdas(0))) break;
  }
}

const std::vector<Learned>& WalkedPath::learned_near(double lambda) const {
  const auto distance = [&](const auto& one) { return std::abs(std::log(one.first / lambda)); };
  return std::min_element(learned_.begin(), learned_.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
      ->second;
}

std::vector<CalibrationPart> WalkedPath::parts_at(double lambda) const {
  const auto found = parts_.find(lambda);
  return found == parts_.end() ? std::vector<CalibrationPart>() : found->second;
}

// What the last fits have to say later on, as long as it may be asked for: directions near the best
// λ of a sample, the models of points that may be chosen.
void WalkedPath::remember(double lambda) {
  if (which_ == Rows::sample) {
    learned_[lambda] = fits_->learned();
    std::erase_if(learned_, [best = best_lambda()](const auto& one) {
      return one.first > kNear * best || one.first * kNear < best;
    });
    return;
  }
  if (!takes_folds(scores_.options, study_.options)) return;
  const double least = best_lambda();
  const double most =
      study_.options.one_standard_error ? scores_.lambdas(scores_.one_standard_error) : least;
  if (lambda >= least && lambda <= most) parts_[lambda] = fits_->calibration_parts();
  std::erase_if(parts_, [&](const auto& one) { return one.first < least || one.first > most; });
}

void WalkedPath::report(double lambda) {
  study_.most = std::max(study_.most, ++study_.done);
  if (study_.observer == nullptr) return;
  const auto last = (scores_.lambdas.array() > lambda).count();
  CrossValidateProgress progress;
  progress.candidate = scores_.candidate;
  progress.n_candidates = study_.n_candidates;
  progress.rows = scores_.rows;
  progress.point = static_cast<int>(scores_.lambdas.size()) - 1;
  progress.n_points = n_points_;
  progress.done = study_.done;
  progress.most = study_.most;
  progress.regularization = lambda;
  progress.mean = scores_.mean(last);
  progress.standard_error = scores_.standard_error(last);
  progress.evaluations = study_.evaluations;
  if (!study_.observer->on_point(progress)) study_.watch.stopped = true;
}

}  // namespace bkernn
