#include "bkernn/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "base/active_columns.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "calibration/calibrate.hpp"
#include "choice/choose.hpp"
#include "choice/critical_lambda.hpp"
#include "choice/lambda_law.hpp"
#include "resampling/cross_validate_walk.hpp"
#include "resampling/scorer.hpp"
#include "rows/check_input.hpp"
#include "rows/prepared_data.hpp"
#include "training/fit_rows.hpp"
#include "training/fits_watch.hpp"
#include "training/mean_fit.hpp"

namespace bkernn {
namespace {

constexpr double kSmallest = 25;  // λ_min of a path: what such rows are likely to want, by this
// The path of a further penalty: points above and below the best λ so far, twice as large each.
constexpr int kAbove = 3, kBelow = 2;

struct HeldOut {
  Matrix X, Y;
  DistinctRows rows;
};

// As fit() will see the data when λ is given.
PreparedData prepare(const FitInput& input, const DistinctRows& rows, FitOptions options,
                     const Loss& loss) {
  options.regularization = 1.0;
  return prepare_data(input, rows, options, loss);
}

double largest_regularization(const FitInput& input, const DistinctRows& rows,
                              const FitOptions& options) {
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const PreparedData data = prepare(input, rows, options, *loss);
  const double critical = critical_lambda(data, data.groups, options, *loss);
  return (critical > 0 ? critical : rule_lambda(data, *loss)) * data.lambda_unit();
}

double likely_regularization(const FitInput& input, const DistinctRows& rows,
                             const FitOptions& options) {
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const PreparedData data = prepare(input, rows, options, *loss);
  return likely_lambda(*loss, data, data.total_weight) * data.lambda_unit();
}

Vector regularization_path(const FitInput& input, const DistinctRows& rows,
                           const FitOptions& fit_options, const CrossValidateOptions& options) {
  if (!options.lambdas.empty()) {
    Vector path = Eigen::Map<const Vector>(options.lambdas.data(),
                                           static_cast<Index>(options.lambdas.size()));
    std::sort(path.begin(), path.end(), std::greater<>());
    return path;
  }
  const double largest = largest_regularization(input, rows, fit_options);
  double smallest = largest * options.ratio;
  if (options.ratio == 0) {
    smallest = std::min(likely_regularization(input, rows, fit_options) / kSmallest, largest / 16);
  }
  const double halvings = std::log2(largest / smallest);
  const Index points =
      options.n_lambdas > 0 ? options.n_lambdas : 1 + static_cast<Index>(std::ceil(halvings));
  Vector path(points);
  for (Index i = 0; i < points; ++i) {
    const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0;
    path(i) = largest * std::exp2(-share * halvings);
  }
  return path;
}

// The rows of an input that is checked here.
DistinctRows checked_rows(const FitInput& input, FitOptions options) {
  options.early_stopping = false;
  check_input(input, options, *make_loss(options.loss, options.loss_parameters));
  return distinct_rows(input, options);
}

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
        observer_(observer),
        watch_([observer] { return observer == nullptr || observer->poll(); }) {
    check();
    const FitOptions& first = candidates_.front();
    const std::unique_ptr<Loss> loss = make_loss(first.loss, first.loss_parameters);
    deal(loss->classifies());
    const PreparedData data = prepare(input, rows_, first, *loss);
    scorer_ = make_scorer(options.scorer, first, data.target_scale);
    result_.higher_is_better = scorer_.higher_is_better;
    for (int fold = 0; fold < options.n_folds; ++fold) {
      const DistinctRows rows = rows_in([&](int f) { return f == fold; });
      held_out_.push_back({input.X(rows.rows, Eigen::all), input.Y(rows.rows, Eigen::all), rows});
    }
  }

  CrossValidateResult run() {
    const Stopwatch watch;
    for (std::size_t c = 0; c < candidates_.size() && !watch_.stopped; ++c) {
      walk(static_cast<int>(c));
      judge(static_cast<int>(c));
    }
    result_.paths.resize(candidates_.size());
    result_.stopped = watch_.stopped;
    if (options_.refit && !result_.stopped && result_.candidate >= 0) refit();
    result_.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  void check() const {
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
  }

  // The folds of some rows of the input.
  std::vector<int> folds_of(const DistinctRows& rows, const std::vector<int>& given,
                            bool classes) const {
    CrossValidateOptions here = options_;
    here.fold_of_row.clear();
    here.groups.clear();
    for (const Index i : rows.rows) {
      if (!given.empty()) here.fold_of_row.push_back(given[i]);
      if (!options_.groups.empty()) here.groups.push_back(options_.groups[i]);
    }
    return assign_folds(input_.Y(rows.rows, Eigen::all).eval(), here, classes);
  }

  std::vector<int> folds_of_input(const DistinctRows& rows, const std::vector<int>& folds) const {
    std::vector<int> all(rows.place.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (rows.place[i] >= 0) all[i] = folds[rows.place[i]];
    }
    return all;
  }

  // Equal rows share a fold, unless groups or given folds keep them apart, or they lie in different
  // blocks. Rows are merged if no candidate is on knots.
  void deal(bool classes) {
    std::vector<int> given = options_.fold_of_row;
    if (given.empty() && options_.folds == "contiguous") {
      const DistinctRows positive = rows_above(0, input_);
      given = folds_of_input(positive, folds_of(positive, {}, classes));
    }
    const auto on_knots = std::find_if(candidates_.begin(), candidates_.end(),
                                       [](const FitOptions& one) { return one.knots > 0; });
    rows_ = distinct_rows(
        input_, on_knots == candidates_.end() ? candidates_.front() : *on_knots,
        given.empty() ? options_.groups : std::vector<Index>(given.begin(), given.end()));
    fold_ = folds_of(rows_, given, classes);
    result_.fold_of_row = folds_of_input(rows_, fold_);
  }

  DistinctRows rows_in(const std::function<bool(int)>& in) const {
    std::vector<Index> which;
    for (std::size_t k = 0; k < fold_.size(); ++k) {
      if (in(fold_[k])) which.push_back(static_cast<Index>(k));
    }
    return rows_.part(which);
  }

  bool better(double a, double b) const { return scorer_.higher_is_better ? a > b : a < b; }

  // Of a further penalty only where the others before it are best, unless a path was asked for.
  Vector path_of(int candidate) const {
    const bool asked = !options_.lambdas.empty() || options_.n_lambdas > 0 || options_.ratio > 0;
    if (!further_[candidate] || asked) {
      return regularization_path(input_, rows_, candidates_[candidate], options_);
    }
    const PathScores* leader = nullptr;
    for (int c = candidate - 1; further_[c + 1]; --c) {
      const PathScores& one = result_.paths[c];
      if (leader == nullptr || !better(leader->mean(leader->best), one.mean(one.best))) {
        leader = &one;
      }
    }
    Vector lambdas(kAbove + 1 + kBelow);
    for (int i = 0; i < lambdas.size(); ++i) {
      lambdas(i) = std::ldexp(leader->lambdas(leader->best), kAbove - i);
    }
    return lambdas;
  }

  void walk(int candidate) {
    PathScores& path = result_.paths.emplace_back();
    path.options = candidates_[candidate];
    fold_parts_.clear();
    const Vector lambdas = path_of(candidate);
    const int k = options_.n_folds;
    Matrix scores(lambdas.size(), k), active(lambdas.size(), k);
    std::vector<std::unique_ptr<PathWalk>> walks(k);
    const double cost = 1e9;  // of a round of fits: worth all threads
    Index point = 0;
    for (; point < lambdas.size(); ++point) {
      std::vector<int> evaluations(k, 0), inner_iterations(k, 0);
      parallel_for(k, cost, [&](Index fold) {
        if (watch_.stopped) return;
        if (!walks[fold]) walks[fold] = make_walk(path.options, static_cast<int>(fold));
        PathWalk& one = *walks[fold];
        one.fit(lambdas(point), options_.start == "previous", &watch_);
        evaluations[fold] = one.report().evaluations;
        inner_iterations[fold] = one.report().inner_iterations;
        active(point, fold) = static_cast<double>(active_columns(one.W()).size());
        const HeldOut& test = held_out_[fold];
        scores(point, fold) =
            scorer_.score(test.Y, one.predict(test.X), test.rows.weights_or_null());
      });
      for (int fold = 0; fold < k; ++fold) {
        result_.evaluations += evaluations[fold];
        result_.inner_iterations += inner_iterations[fold];
      }
      if (watch_.stopped) break;
      keep(path, lambdas, scores, active, point + 1);
      remember(path, walks);
      report(candidate, path, lambdas.size());
      if (has_passed(path)) break;
    }
  }

  std::unique_ptr<PathWalk> make_walk(const FitOptions& options, int fold) const {
    FitOptions inside = options;
    if (options_.fold_iterations > 0) {
      inside.max_iter = std::min(inside.max_iter, options_.fold_iterations);
    }
    inside.early_stopping = false;
    return std::make_unique<PathWalk>(input_, rows_in([&](int f) { return f != fold; }), inside);
  }

  void keep(PathScores& path, const Vector& lambdas, const Matrix& scores, const Matrix& active,
            Index points) const {
    const auto k = static_cast<double>(scores.cols());
    path.lambdas = lambdas.head(points);
    path.scores = scores.topRows(points);
    path.mean = path.scores.rowwise().mean();
    path.active = active.topRows(points).rowwise().mean();
    const Matrix deviations = path.scores.colwise() - path.mean;
    path.standard_error = (deviations.rowwise().squaredNorm() / (k * (k - 1))).cwiseSqrt();
    const Index last = points - 1;
    if (better(path.mean(last), path.mean(path.best))) path.best = last;
    const double margin = path.standard_error(path.best);
    const double sign = scorer_.higher_is_better ? 1 : -1;
    path.one_standard_error = 0;
    while (sign * (path.mean(path.best) - path.mean(path.one_standard_error)) > margin) {
      ++path.one_standard_error;
    }
  }

  // Intervals of the last fit come from the fits without a fold that the path consists of, at the
  // point that is chosen. (An ensemble fits its own; a second fit within directions is not theirs.)
  static bool takes_folds(const FitOptions& options, const CrossValidateOptions& how) {
    return options.intervals == "cross" && !how.ensemble && options.n_directions == 0 &&
           options.n_models == 1 && !options.early_stopping;
  }

  // Keeps the models of the last point if it may be the one that is chosen, and forgets those that
  // can no longer be.
  void remember(const PathScores& path, const std::vector<std::unique_ptr<PathWalk>>& walks) {
    if (!takes_folds(path.options, options_)) return;
    const Index last = path.lambdas.size() - 1;
    const Index from = options_.one_standard_error ? path.one_standard_error : path.best;
    std::erase_if(fold_parts_, [&](const auto& one) { return one.first < from; });
    if (last > path.best) return;
    std::vector<CalibrationPart>& parts = fold_parts_[last];
    parts.resize(walks.size());
    const double cost = 1e9;
    parallel_for(static_cast<Index>(walks.size()), cost, [&](Index fold) {
      const DistinctRows training = rows_in([&](int f) { return f != fold; });
      Model model = fold_model(walks[fold]->model(), input_, training);
      const bool classes = model.n_classes() > 0;
      parts[fold] = calibration_part(std::move(model), input_, held_out_[fold].rows, classes);
    });
  }

  void report(int candidate, const PathScores& path, Index n_points) {
    if (observer_ == nullptr) return;
    const Index last = path.lambdas.size() - 1;
    CrossValidateProgress progress;
    progress.candidate = candidate;
    progress.n_candidates = static_cast<int>(candidates_.size());
    progress.point = static_cast<int>(last);
    progress.n_points = static_cast<int>(n_points);
    progress.regularization = path.lambdas(last);
    progress.mean = path.mean(last);
    progress.standard_error = path.standard_error(last);
    progress.evaluations = result_.evaluations;
    if (!observer_->on_point(progress)) watch_.stopped = true;
  }

  // The best is `patience` points back (points before the first active particle do not count) and
  // one standard error away.
  bool has_passed(const PathScores& path) const {
    if (watch_.stopped) return true;
    const Index last = path.lambdas.size() - 1;
    Index since = path.best;
    while (since < last && path.active(since) == 0) ++since;
    if (options_.patience == 0 || last - since < options_.patience) return false;
    return std::abs(path.mean(last) - path.mean(path.best)) > path.standard_error(path.best);
  }

  void judge(int candidate) {
    const PathScores& path = result_.paths[candidate];
    if (path.lambdas.size() == 0) return;
    if (result_.candidate >= 0) {
      const PathScores& leader = result_.paths[result_.candidate];
      if (!better(path.mean(path.best), leader.mean(leader.best))) return;
    }
    result_.candidate = candidate;
    result_.point = options_.one_standard_error ? path.one_standard_error : path.best;
    result_.options = path.options;
    result_.options.regularization = path.lambdas(result_.point);
    calibration_.reset();
    const auto kept = fold_parts_.find(result_.point);
    if (kept != fold_parts_.end())
      calibration_ = std::make_shared<Calibration>(Calibration{"cross", std::move(kept->second)});
  }

  void refit() {
    FitInput input = input_;
    input.interval_folds = &result_.fold_of_row;
    FitOptions options = result_.options;
    if (calibration_ != nullptr) options.intervals = "none";
    result_.fit = options_.ensemble ? fit_without_each_fold() : fit(input, options, &watch_);
    if (calibration_ != nullptr) result_.fit->model.calibration = calibration_;
    result_.stopped = watch_.stopped;
  }

  // With fewer rows λ is larger, by its law.
  FitResult fit_without_each_fold() {
    const auto weight = [](const DistinctRows& rows) {
      return rows.weights.size() > 0 ? rows.weights.sum() : static_cast<double>(rows.size());
    };
    std::vector<FitResult> results;
    for (int fold = 0; fold < options_.n_folds && !watch_.stopped; ++fold) {
      const DistinctRows rows = rows_in([&](int f) { return f != fold; });
      const Matrix X = input_.X(rows.rows, Eigen::all), Y = input_.Y(rows.rows, Eigen::all);
      FitInput part{.X = X, .Y = Y, .weights = rows.weights_or_null(), .encoder = input_.encoder};
      part.validation_X = input_.validation_X;
      part.validation_Y = input_.validation_Y;
      FitOptions options = result_.options;
      options.intervals = "none";
      options.seed += kSeedStep * static_cast<std::uint64_t>(fold);
      *options.regularization *= lambda_of_part(weight(rows) / weight(rows_), options);
      results.push_back(fit(part, options, &watch_));
      make_small(results.back());
    }
    FitResult mean = mean_of(results);
    mean.regularization = *result_.options.regularization;
    mean.intercept = intercept_of(mean.model);
    if (result_.options.intervals == "cross" && !watch_.stopped) {
      auto calibration = std::make_shared<Calibration>(Calibration{"cross", {}});
      for (int fold = 0; fold < options_.n_folds; ++fold) {
        calibration->parts.push_back(calibration_part(
            results[fold].model, input_, held_out_[fold].rows, mean.model.n_classes() > 0));
      }
      mean.model.calibration = calibration;
    }
    return mean;
  }

  const FitInput& input_;
  const std::vector<FitOptions>& candidates_;
  const std::vector<char>& further_;
  const CrossValidateOptions& options_;
  CrossValidateObserver* observer_;
  FitsWatch watch_;
  Scorer scorer_;
  DistinctRows rows_;
  std::vector<int> fold_;  // of each of those
  std::vector<HeldOut> held_out_;
  std::map<Index, std::vector<CalibrationPart>> fold_parts_;  // of points of the path
  std::shared_ptr<const Calibration> calibration_;            // of the point that leads
  CrossValidateResult result_;
};

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
  return CrossValidation(input, with_penalties(candidates), options, observer).run();
}

CrossValidateResult cross_validate(const FitInput& input, const FitOptions& fit_options,
                                   const CrossValidateOptions& options,
                                   CrossValidateObserver* observer) {
  return cross_validate(input, std::vector<FitOptions>{fit_options}, options, observer);
}

double largest_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const ThreadLimit limit(options.n_threads);
  return largest_regularization(input, checked_rows(input, options), options);
}

Vector regularization_path(const FitInput& input, const FitOptions& fit_options,
                           const CrossValidateOptions& options) {
  options.validate();
  fit_options.validate();
  const ThreadLimit limit(fit_options.n_threads);
  return regularization_path(input, checked_rows(input, fit_options), fit_options, options);
}

}  // namespace bkernn
