#include "bkernn/cross_validate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "fit/cross_validate_folds.hpp"
#include "fit/cross_validate_walk.hpp"
#include "fit/resolve_options.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {
namespace {

constexpr double kSmallest = 15;  // λ_min of a path: the automatic λ, divided by this

// Lets fits in several threads be stopped from the calling one.
class Brake final : public Observer {
 public:
  explicit Brake(CrossValidateObserver* observer) : observer_(observer) {}

  bool on_iteration(const IterationRecord&, const OptimizerState&) override {
    if (observer_ != nullptr && !is_worker_thread() && !observer_->poll()) pulled_ = true;
    return !pulled_;
  }
  void pull() { pulled_ = true; }
  bool pulled() const { return pulled_; }

 private:
  CrossValidateObserver* observer_;
  std::atomic<bool> pulled_{false};
};

struct Part {
  Matrix X, Y;
  Vector weights;
  bool weighted = false;

  const Vector* weight_pointer() const { return weighted ? &weights : nullptr; }
};

Part take(const FitInput& input, const std::vector<int>& folds,
          const std::function<bool(int)>& in) {
  std::vector<Index> rows;
  for (Index i = 0; i < input.X.rows(); ++i) {
    const bool counts = input.weights == nullptr || (*input.weights)(i) > 0;
    if (counts && in(folds[i])) rows.push_back(i);
  }
  Part part{.X = input.X(rows, Eigen::all), .Y = input.Y(rows, Eigen::all), .weights = {}};
  part.weighted = input.weights != nullptr;
  if (part.weighted) part.weights = (*input.weights)(rows);
  return part;
}

// As fit() will see the data when λ is given.
PreparedData prepare(const FitInput& input, const FitOptions& options, const Loss& loss) {
  FitOptions given = options;
  given.regularization = 1.0;
  given.early_stopping = false;
  return prepare_data(input, given, loss);
}

class CrossValidation {
 public:
  CrossValidation(const FitInput& input, const std::vector<FitOptions>& candidates,
                  const CrossValidateOptions& options, CrossValidateObserver* observer)
      : input_(input),
        candidates_(candidates),
        options_(options),
        observer_(observer),
        brake_(observer) {
    check();
    const FitOptions& first = candidates.front();
    const std::unique_ptr<Loss> loss = make_loss(first.loss, first.loss_parameters);
    const PreparedData data = prepare(input, first, *loss);
    scorer_ = make_scorer(options.scorer, first, data.target_scale);
    result_.higher_is_better = scorer_.higher_is_better;
    result_.fold_of_row = assign_folds(input, options, loss->classifies());
    for (int fold = 0; fold < options.n_folds; ++fold) {
      held_out_.push_back(take(input, result_.fold_of_row, [&](int f) { return f == fold; }));
    }
  }

  CrossValidateResult run() {
    const auto start = std::chrono::steady_clock::now();
    const ThreadLimit limit(candidates_.front().n_threads);
    for (std::size_t c = 0; c < candidates_.size() && !brake_.pulled(); ++c) {
      walk(static_cast<int>(c));
      judge(static_cast<int>(c));
    }
    result_.paths.resize(candidates_.size());
    result_.stopped = brake_.pulled();
    if (options_.refit && !result_.stopped && result_.candidate >= 0) refit();
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void check() const {
    options_.validate();
    require(!candidates_.empty(), "candidates", 0, "there must be at least one");
    require(input_.resume == nullptr, "resume", "given", "a cross-validation cannot be resumed");
    for (const FitOptions& one : candidates_) {
      one.validate();
      require(one.loss == candidates_.front().loss, "candidates", one.loss,
              "must all have the same loss, " + candidates_.front().loss);
    }
  }

  bool better(double a, double b) const { return scorer_.higher_is_better ? a > b : a < b; }

  void walk(int candidate) {
    PathScores& path = result_.paths.emplace_back();
    path.options = candidates_[candidate];
    const Vector lambdas = regularization_path(input_, path.options, options_);
    const int k = options_.n_folds;
    Matrix scores(lambdas.size(), k), active(lambdas.size(), k);
    std::vector<std::unique_ptr<PathWalk>> walks(k);
    const double cost = 1e9;  // of a round of fits: worth all threads
    Index point = 0;
    for (; point < lambdas.size(); ++point) {
      std::vector<int> evaluations(k, 0), inner_iterations(k, 0);
      parallel_for(k, cost, [&](Index fold) {
        if (brake_.pulled()) return;
        if (!walks[fold]) walks[fold] = make_walk(path.options, static_cast<int>(fold));
        PathWalk& one = *walks[fold];
        one.fit(lambdas(point), options_.start == "previous", &brake_);
        evaluations[fold] = one.report().evaluations;
        inner_iterations[fold] = one.report().inner_iterations;
        active(point, fold) = static_cast<double>((one.W().array() != 0).colwise().any().count());
        const Part& rows = held_out_[fold];
        scores(point, fold) = scorer_.score(rows.Y, one.predict(rows.X), rows.weight_pointer());
      });
      for (int fold = 0; fold < k; ++fold) {
        result_.evaluations += evaluations[fold];
        result_.inner_iterations += inner_iterations[fold];
      }
      if (brake_.pulled()) break;
      keep(path, lambdas, scores, active, point + 1);
      report(candidate, path, lambdas.size());
      if (has_passed(path)) break;
    }
  }

  std::unique_ptr<PathWalk> make_walk(const FitOptions& options, int fold) const {
    const Part rows = take(input_, result_.fold_of_row, [&](int f) { return f != fold; });
    FitOptions inside = options;
    if (options_.fold_iterations > 0) {
      inside.max_iter = std::min(inside.max_iter, options_.fold_iterations);
    }
    inside.early_stopping = false;
    return std::make_unique<PathWalk>(
        FitInput{.X = rows.X, .Y = rows.Y, .weights = rows.weight_pointer()}, inside);
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
    if (!observer_->on_point(progress)) brake_.pull();
  }

  // The best is `patience` points back (points before the first active particle do not count) and
  // one standard error away.
  bool has_passed(const PathScores& path) const {
    if (brake_.pulled()) return true;
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
  }

  void refit() {
    result_.fit = fit(input_, result_.options, &brake_);
    result_.stopped = brake_.pulled();
  }

  const FitInput& input_;
  const std::vector<FitOptions>& candidates_;
  const CrossValidateOptions& options_;
  CrossValidateObserver* observer_;
  Brake brake_;
  Scorer scorer_;
  std::vector<Part> held_out_;
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
  return CrossValidation(input, candidates, options, observer).run();
}

CrossValidateResult cross_validate(const FitInput& input, const FitOptions& fit_options,
                                   const CrossValidateOptions& options,
                                   CrossValidateObserver* observer) {
  return cross_validate(input, std::vector<FitOptions>{fit_options}, options, observer);
}

double largest_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const ThreadLimit limit(options.n_threads);
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const PreparedData data = prepare(input, options, *loss);
  const double critical = critical_lambda(data, options, *loss);
  return (critical > 0 ? critical : automatic_lambda(data, *loss)) * target_scale_rms(data);
}

Vector regularization_path(const FitInput& input, const FitOptions& fit_options,
                           const CrossValidateOptions& options) {
  options.validate();
  if (!options.lambdas.empty()) {
    Vector path = Eigen::Map<const Vector>(options.lambdas.data(),
                                           static_cast<Index>(options.lambdas.size()));
    std::sort(path.begin(), path.end(), std::greater<>());
    return path;
  }
  const double largest = largest_regularization(input, fit_options);
  double smallest = largest * options.ratio;
  if (options.ratio == 0) {
    smallest = std::min(automatic_regularization(input, fit_options) / kSmallest, largest / 16);
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

const std::vector<std::string>& scorer_names() {
  static const std::vector<std::string> names{"loss",    "r2",       "mse",
                                              "pinball", "accuracy", "log_loss"};
  return names;
}

}  // namespace bkernn
