#include "bkernn/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/penalty.hpp"
#include "calibration/calibrate.hpp"
#include "choice/race.hpp"
#include "fit/ranked_input.hpp"
#include "resampling/fold_ensemble.hpp"
#include "resampling/fold_fits.hpp"
#include "resampling/lambda_path.hpp"
#include "resampling/walked_path.hpp"
#include "rows/check_input.hpp"

namespace bkernn {
namespace {

// The path of a further penalty: points above and below the best λ so far, twice as large each.
constexpr int kAbove = 3, kBelow = 2;
// Times the rows of a sample: with fewer rows to walk all paths on them takes no longer.
constexpr Index kManyTimes = 2;

// Candidates; further[c]: candidate c is the one before it with another penalty.
struct Candidates {
  std::vector<FitOptions> options;
  std::vector<char> further;
};

Candidates with_penalties(const std::vector<FitOptions>& given) {
  Candidates all;
  for (const FitOptions& one : given) {
    bool further = false;
    for (const std::string& penalty : candidate_penalties(one.penalty)) {
      all.options.emplace_back(one).penalty = penalty;
      all.further.push_back(further);
      further = true;
    }
  }
  return all;
}

class CrossValidation {
 public:
  CrossValidation(const FitInput& input, const Candidates& candidates,
                  const CrossValidateOptions& options, CrossValidateObserver* observer)
      : input_(input),
        candidates_(candidates.options),
        further_(candidates.further),
        options_(options),
        loss_(checked_loss()),
        rows_(deal_folds(input, candidates_, options, loss_->classifies())),
        watch_([observer] { return observer == nullptr || observer->poll(); }),
        study_{.input = input,
               .options = options,
               .scorer = scorer_,
               .observer = observer,
               .watch = watch_,
               .n_candidates = static_cast<int>(candidates_.size())} {
    const PreparedData data = prepare_for_lambda(input, rows_.rows, candidates_.front(), *loss_);
    scorer_ = make_scorer(options.scorer, candidates_.front(), data.target_scale);
    result_.higher_is_better = scorer_.higher_is_better;
    result_.fold_of_row = folds_of_input(rows_.rows, rows_.fold);
    const Index most = most_race_rows(*loss_);
    if (!path_is_given() && rows_.rows.size() > kManyTimes * most)
      sample_.emplace(draw_sample(input, rows_, data, most, options.seed));
  }

  CrossValidateResult run() {
    const Stopwatch watch;
    std::vector<WalkedPath> on_sample;
    for (int c = 0; c < study_.n_candidates && !watch_.stopped; ++c) {
      WalkedPath path(study_, sample_ ? *sample_ : rows_, candidates_[c], c,
                      sample_ ? WalkedPath::Rows::sample : WalkedPath::Rows::all);
      walk(path, c);
      path.end();
      result_.paths.push_back(path.scores());
      if (sample_) {
        on_sample.push_back(std::move(path));
      } else {
        judge(path);
      }
    }
    result_.paths.resize(candidates_.size());
    if (sample_ && !watch_.stopped) go_on(on_sample);
    result_.stopped = watch_.stopped;
    result_.evaluations = study_.evaluations;
    result_.inner_iterations = study_.inner_iterations;
    if (options_.refit && !result_.stopped && result_.candidate >= 0) refit();
    result_.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  std::unique_ptr<Loss> checked_loss() const {
    options_.validate();
    require(!candidates_.empty(), "candidates", 0, "there must be at least one");
    require(input_.resume == nullptr, "resume", "given", "a cross-validation cannot be resumed");
    for (FitOptions one : candidates_) {
      one.validate();
      require(one.loss == candidates_.front().loss, "candidates", one.loss,
              "must all have the same loss, " + candidates_.front().loss);
      require(one.n_directions == 0 || !options_.ensemble, "n_directions", one.n_directions,
              "must be auto in an ensemble, whose fits have their own directions");
      require(one.intervals == "none" || one.intervals == "cross" || !options_.ensemble,
              "intervals", one.intervals, "an ensemble of the folds takes cross");
      one.early_stopping = one.early_stopping && options_.refit;
      const std::unique_ptr<Loss> loss = make_loss(one.loss, one.loss_parameters);
      check_input(input_, one, *loss);
      FitInput in_folds = input_;
      const std::vector<int> folds(input_.X.rows(), 0);
      in_folds.interval_folds = &folds;
      check_calibration(in_folds, {}, one, *loss);
    }
    const Index n = input_.X.rows();
    const auto one_per_row = [n](const auto& labels, const char* name) {
      require(labels.empty() || static_cast<Index>(labels.size()) == n, name, labels.size(),
              "must be one per row of X, " + std::to_string(n));
    };
    one_per_row(options_.fold_of_row, "fold_of_row");
    one_per_row(options_.groups, "groups");
    return make_loss(candidates_.front().loss, candidates_.front().loss_parameters);
  }

  bool path_is_given() const {
    return !options_.lambdas.empty() || options_.n_lambdas > 0 || options_.ratio > 0;
  }

  // A further penalty only near where the others before it are best, unless a path was asked for.
  void walk(WalkedPath& path, int candidate) const {
    if (!further_[candidate] || path_is_given()) {
      path.descend(regularization_path(input_, sample_ ? sample_->rows : rows_.rows,
                                       candidates_[candidate], options_));
    } else if (sample_) {
      if (path.visit(best_before(candidate))) path.climb();
    } else {
      Vector lambdas(kAbove + 1 + kBelow);
      for (int i = 0; i < lambdas.size(); ++i)
        lambdas(i) = std::ldexp(best_before(candidate), kAbove - i);
      path.descend(lambdas);
    }
  }

  // λ of the same candidate with other penalties.
  double best_before(int candidate) const {
    const PathScores* leader = &result_.paths[candidate - 1];
    for (int c = candidate - 2; further_[c + 1]; --c) {
      if (!better(*leader, result_.paths[c])) leader = &result_.paths[c];
    }
    return leader->lambdas(leader->best);
  }

  bool better(const PathScores& a, const PathScores& b) const {
    return scorer_.better(a.mean(a.best), b.mean(b.best));
  }

  // The best of the sample, and what may be as good.
  std::vector<WalkedPath*> finalists(std::vector<WalkedPath>& on_sample) const {
    WalkedPath* best = &on_sample.front();
    for (WalkedPath& one : on_sample) {
      if (better(one.scores(), best->scores())) best = &one;
    }
    std::vector<WalkedPath*> order{best};
    for (WalkedPath& one : on_sample) {
      if (&one != best && !clearly_behind(one.scores(), best->scores(), scorer_))
        order.push_back(&one);
    }
    return order;
  }

  // Finalists whose fits have gone to their end on the sample try all rows, and climb if they lead.
  void go_on(std::vector<WalkedPath>& on_sample) {
    const auto open = [](const WalkedPath* one) { return !one->finished(); };
    std::vector<WalkedPath*> order = finalists(on_sample);
    for (; std::any_of(order.begin(), order.end(), open); order = finalists(on_sample)) {
      WalkedPath& one = **std::find_if(order.begin(), order.end(), open);
      one.finish();
      if (watch_.stopped) return;
      result_.paths[one.scores().candidate] = one.scores();
    }
    const double share = sample_->rows.total_weight() / rows_.rows.total_weight();
    for (const WalkedPath* one : order) {
      WalkedPath path(study_, rows_, *one, share);
      if (path.visit_best_of_sample() && leads(path.scores())) path.climb();
      path.end();
      result_.paths.push_back(path.scores());
      judge(path);
      if (watch_.stopped) return;
    }
  }

  bool leads(const PathScores& path) const {
    return result_.path < 0 || better(path, result_.paths[result_.path]);
  }

  // The last of the paths.
  void judge(const WalkedPath& walked) {
    const PathScores& path = walked.scores();
    if (path.lambdas.size() == 0 || !leads(path)) return;
    result_.path = static_cast<int>(result_.paths.size()) - 1;
    result_.candidate = path.candidate;
    result_.point = options_.one_standard_error ? path.one_standard_error : path.best;
    result_.options = path.options;
    result_.options.regularization = path.lambdas(result_.point);
    std::vector<CalibrationPart> parts = walked.parts_at(path.lambdas(result_.point));
    calibration_.reset();
    if (!parts.empty())
      calibration_ = std::make_shared<Calibration>(Calibration{"cross", std::move(parts)});
  }

  void refit() {
    FitInput input = input_;
    input.interval_folds = &result_.fold_of_row;
    FitOptions options = result_.options;
    if (calibration_ != nullptr) options.intervals = "none";
    result_.fit = options_.ensemble ? fit_without_each_fold(input_, rows_, options, watch_)
                                    : fit(input, options, &watch_);
    if (calibration_ != nullptr) result_.fit->model.calibration = calibration_;
    result_.stopped = watch_.stopped;
  }

  const FitInput& input_;
  const std::vector<FitOptions>& candidates_;
  const std::vector<char>& further_;
  const CrossValidateOptions& options_;
  const std::unique_ptr<Loss> loss_;
  const FoldedRows rows_;
  std::optional<FoldedRows> sample_;  // where paths are walked first; none: on all rows
  Scorer scorer_;
  FitsWatch watch_;
  Study study_;
  std::shared_ptr<const Calibration> calibration_;  // of the point that leads
  CrossValidateResult result_;
};

// By the race of a fit of all rows, so that all folds take numbers alike. No y of a row decides how
// its x is ranked.
Encoder ranks_of(const FitInput& input, const std::vector<FitOptions>& candidates,
                 const CrossValidateOptions& options, CrossValidateObserver* observer) {
  options.validate();
  if (candidates.empty()) return {};
  const std::string& ranks = candidates.front().ranks;
  for (const FitOptions& one : candidates)
    require(one.ranks == ranks, "candidates", one.ranks, "must all have the same ranks, " + ranks);
  FitOptions open = candidates.front();
  open.regularization.reset();
  open.regularization_rule = "auto";
  open.n_models = 1;
  open.early_stopping = false;
  FitsWatch watch([observer] { return observer == nullptr || observer->poll(); });
  return choose_ranks(input, open, &watch);
}

}  // namespace

void CrossValidateOptions::validate() const {
  require(n_folds >= 2, "n_folds", n_folds, "must be at least 2");
  require_name("folds", folds, {"shuffled", "contiguous"});
  require(n_lambdas >= 0, "n_lambdas", n_lambdas, "must be at least 0 (0: chosen from the ratio)");
  require(ratio >= 0 && ratio < 1, "ratio", ratio, "must lie in [0, 1) (0: automatic)");
  for (const double one : lambdas) {
    require(one > 0 && std::isfinite(one), "lambdas", one, "must be positive and finite");
  }
  require_name("scorer", scorer, scorer_names());
  require_name("start", start, {"shared", "previous"});
  require(fold_iterations >= 0, "fold_iterations", fold_iterations, "must be at least 0");
  require(patience >= 0, "patience", patience, "must be at least 0 (0: walk the whole path)");
}

CrossValidateResult cross_validate(const FitInput& input, const std::vector<FitOptions>& candidates,
                                   const CrossValidateOptions& options,
                                   CrossValidateObserver* observer) {
  const ThreadLimit limit(candidates.empty() ? 0 : std::max(0, candidates.front().n_threads));
  std::vector<FitOptions> inside = candidates;
  for (FitOptions& one : inside) one.ranks = "none";
  const Encoder curves = ranks_of(input, candidates, options, observer);
  if (curves.empty())
    return CrossValidation(input, with_penalties(inside), options, observer).run();
  const RankedInput ranked(input, curves);
  CrossValidateResult result =
      CrossValidation(ranked.input(), with_penalties(inside), options, observer).run();
  result.options.ranks = curves.ranks();
  return result;
}

CrossValidateResult cross_validate(const FitInput& input, const FitOptions& fit_options,
                                   const CrossValidateOptions& options,
                                   CrossValidateObserver* observer) {
  return cross_validate(input, std::vector<FitOptions>{fit_options}, options, observer);
}

}  // namespace bkernn
