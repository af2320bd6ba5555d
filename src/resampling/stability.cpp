#include "bkernn/stability.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/stopwatch.hpp"
#include "bkernn/distinct_rows.hpp"
#include "bkernn/error.hpp"
#include "bkernn/folds.hpp"
#include "bkernn/penalty.hpp"
#include "choice/lambda_law.hpp"
#include "fit/ranked_input.hpp"
#include "problem/make_objective.hpp"
#include "resampling/dimension_curve.hpp"
#include "resampling/halves.hpp"
#include "rows/shard.hpp"
#include "training/fit_rows.hpp"
#include "training/fits_watch.hpp"

namespace bkernn {
namespace {

constexpr Index kMoreDirections = 2, kMostDirections = 12;
constexpr double kCurveTolerance = 1e-4;  // of the inner problem

class Stability {
 public:
  Stability(const FitInput& input, const FitOptions& fit_options, const StabilityOptions& options,
            StabilityObserver* observer)
      : input_(&input),
        fit_options_(fit_options),
        options_(options),
        watch_(
            [this, observer] {
              return observer == nullptr || observer->on_progress(watch_.finished, fits());
            },
            [observer] {
              if (observer != nullptr) observer->on_work();
            }) {
    options.validate();
    require(input.resume == nullptr, "resume", "given", "a stability study cannot be resumed");
    require(fit_options.init.size() == 0, "init", "given",
            "every fit of a stability study starts from its own directions");
    fit_options_.intervals = "none";
    fit_options_.early_stopping = false;
    fit_options_.n_models = 1;
    fit_options_.n_directions = 0;
  }

  StabilityResult run() {
    const Stopwatch clock;
    FitInput all = *input_;
    all.validation_X = all.validation_Y = nullptr;
    result_.threshold = options_.threshold;
    result_.coverage = options_.coverage;
    result_.fit = fit(all, fit_options_, &watch_);
    ++watch_.finished;
    fit_options_.ranks = "none";
    rows_ = distinct_rows(*input_, fit_options_);
    require(rows_.size() >= 2 * static_cast<Index>(options_.n_folds) && rows_.size() >= 8, "X",
            std::to_string(rows_.size()) + " different rows",
            "a stability study needs 8 at least, and two for each fold");
    const Encoder& encoder = result_.fit.model.encoder;
    if (encoder.bends() && (input_->encoder == nullptr || !input_->encoder->bends()))
      input_ = &ranked_.emplace(*input_, encoder).input();
    if (!watch_.stopped) study();
    result_.stopped = watch_.stopped;
    result_.seconds = clock.seconds();
    return std::move(result_);
  }

 private:
  int fits() const { return 1 + 2 * options_.n_pairs + options_.n_folds + refits_; }

  void study() {
    const Model& model = result_.fit.model;
    most_ = std::min({dimension_of(model.singular_values()) + kMoreDirections, kMostDirections,
                      model.n_features()});
    deal();
    const auto halves = static_cast<Index>(half_rows_.size());
    std::vector<Half> found(half_rows_.size());
    losses_.resize(options_.n_folds);
    run_fits(halves + options_.n_folds, [&](Index task) {
      if (task < halves) {
        found[task] = fit_half(half_rows_[task]);
      } else {
        const Index fold = task - halves;
        losses_[fold] = judge_fold(*input_, static_cast<int>(fold), 0, most_);
      }
    });
    if (watch_.stopped) return;
    draw_curve();
    if (watch_.stopped) return;
    describe_halves(found, leading(model.W, result_.curve.dimension), options_, result_);
  }

  // Each task is one fit.
  void run_fits(Index tasks, const std::function<void(Index)>& one) {
    const double cost = 1e9;  // worth all threads
    parallel_for(tasks, cost, [&](Index task) {
      if (watch_.stopped) return;
      try {
        one(task);
      } catch (...) {
        watch_.stopped = true;
        throw;
      }
      ++watch_.finished;
    });
  }

  void deal() {
    Rng rng(options_.seed);
    const Index n = rows_.size();
    std::vector<Index> order(n);
    for (Index i = 0; i < n; ++i) order[i] = i;
    for (int pair = 0; pair < options_.n_pairs; ++pair) {
      rng.shuffle(order);
      half_rows_.emplace_back(order.begin(), order.begin() + n / 2);
      half_rows_.emplace_back(order.begin() + n / 2, order.begin() + 2 * (n / 2));
      for (std::size_t side = half_rows_.size() - 2; side < half_rows_.size(); ++side)
        std::sort(half_rows_[side].begin(), half_rows_[side].end());
    }
    FoldOptions deal;
    deal.n_folds = options_.n_folds;
    deal.seed = options_.seed;
    const bool classes = make_loss(fit_options_.loss)->classifies();
    fold_ = assign_folds(input_->Y(rows_.rows, Eigen::all).eval(), deal, classes);
  }

  FitOptions options_of(Index rows) const {
    FitOptions options = fit_options_;
    options.penalty = result_.fit.model.penalty;
    const double share = static_cast<double>(rows) / static_cast<double>(rows_.size());
    options.regularization = result_.fit.regularization * lambda_of_part(share, options);
    return options;
  }

  Half fit_half(const std::vector<Index>& which) {
    const DistinctRows rows = rows_.part(which);
    const FitParts parts(options_of(rows.size()), rows.size());
    Shard shard = make_shard(*input_, rows, *parts.loss);
    const FitProblem problem(parts, shard, input_->encoder);
    const Model model = fit_rows(problem, {}, nullptr, &watch_).model;
    const RowVector ratio = result_.fit.model.scale.cwiseQuotient(model.scale);
    return {ratio.transpose().asDiagonal() * model.W, model.column_sizes()};
  }

  // Losses of the held-out rows with from `first` to `last` directions, one column each.
  Matrix judge_fold(const FitInput& input, int fold, Index first, Index last) {
    std::vector<Index> in, out;
    for (Index i = 0; i < rows_.size(); ++i) (fold_[i] == fold ? out : in).push_back(i);
    const DistinctRows rows = rows_.part(in);
    const FitOptions options = options_of(rows.size());
    const FitParts parts(options, rows.size());
    Shard shard = make_shard(input, rows, *parts.loss);
    const FitProblem problem(parts, shard, input.encoder);
    const Coordinates& coordinates = problem.coordinates;
    const Matrix W = fit_rows(problem, {}, nullptr, &watch_).W;
    const DistinctRows held_out = rows_.part(out);
    Matrix Z = input.X(held_out.rows, Eigen::all), Y = input.Y(held_out.rows, Eigen::all);
    standardize(Z, coordinates.center, coordinates.scale);
    standardize(Y, coordinates.target_center, coordinates.target_scale);
    const std::unique_ptr<Objective> objective =
        make_objective(problem, *options.regularization / coordinates.lambda_unit());
    Matrix losses(Z.rows(), last - first + 1);
    const Vector one = Vector::Ones(1);
    for (Index k = first; k <= last; ++k) {
      const Matrix P = leading(W, k);
      objective->evaluate(P * (P.transpose() * W), kCurveTolerance);
      const Matrix F = objective->predict(Z);
      for (Index i = 0; i < F.rows(); ++i)
        losses(i, k - first) = parts.loss->value(Y.row(i), F.row(i), one);
    }
    return losses;
  }

  void draw_curve() {
    const Index n = rows_.size();
    Matrix losses(n, most_ + 1);
    Vector s(n);
    Index at = 0;
    for (int fold = 0; fold < options_.n_folds; ++fold) {
      const Index count = losses_[fold].rows();
      losses.middleRows(at, count) = losses_[fold];
      s.segment(at, count) = weights_of(fold);
      at += count;
    }
    Rng rng(options_.seed);
    DimensionCurve& curve = result_.curve;
    curve = curve_of(losses, s, options_.n_permutations, rng);
    for (Index k = 0; options_.n_refits > 0 && k < most_ && !watch_.stopped; ++k) {
      curve.p_value(k) = refit_test(k, rng);
      if (!helps(curve, k)) break;
    }
    while (curve.dimension < most_ && helps(curve, curve.dimension)) ++curve.dimension;
  }

  // Of the rows of a fold; all rows have 1 together.
  Vector weights_of(Index fold) const {
    std::vector<double> s;
    for (Index i = 0; i < rows_.size(); ++i) {
      if (fold_[i] == fold) s.push_back(rows_.weights.size() > 0 ? rows_.weights(i) : 1.0);
    }
    const double all =
        rows_.weights.size() > 0 ? rows_.weights.sum() : static_cast<double>(rows_.size());
    return Vector::Map(s.data(), static_cast<Index>(s.size())) / all;
  }

  // The share of permuted tables in which direction k + 1 lowers the loss as much. What lies beside
  // the k leading directions of a row is given to another row.
  double refit_test(Index k, Rng& rng) {
    const DimensionCurve& curve = result_.curve;
    const double gain = curve.loss(k) - curve.loss(k + 1);
    if (!(gain > 0)) return 1;
    const Model& model = result_.fit.model;
    Matrix Z = input_->X(rows_.rows, Eigen::all);
    standardize(Z, model.center, model.scale);
    const Matrix P = leading(model.W, k), inside = Z * P * P.transpose(), beside = Z - inside;
    std::vector<std::vector<Index>> orders(options_.n_refits, std::vector<Index>(rows_.size()));
    for (std::vector<Index>& order : orders) {
      std::iota(order.begin(), order.end(), Index{0});
      rng.shuffle(order);
    }
    refits_ += options_.n_refits * options_.n_folds;
    Matrix gains(options_.n_refits, options_.n_folds);
    run_fits(gains.size(), [&](Index task) {
      const Index refit = task / options_.n_folds, fold = task % options_.n_folds;
      Matrix X = input_->X;
      const Matrix mixed = inside + beside(orders[refit], Eigen::all);
      for (Index i = 0; i < mixed.rows(); ++i)
        X.row(rows_.rows[i]) = mixed.row(i).cwiseProduct(model.scale) + model.center;
      const MatrixView view = X;
      const FitInput permuted{
          .X = view, .Y = input_->Y, .weights = input_->weights, .encoder = input_->encoder};
      const Matrix losses = judge_fold(permuted, static_cast<int>(fold), k, k + 1);
      gains(refit, fold) = weights_of(fold).dot(losses.col(0) - losses.col(1));
    });
    const auto as_large = 1 + (gains.rowwise().sum().array() >= gain).count();
    return static_cast<double>(as_large) / (options_.n_refits + 1);
  }

  const FitInput* input_;
  std::optional<RankedInput> ranked_;  // if the fit of all rows takes numbers by ranks
  FitOptions fit_options_;
  const StabilityOptions& options_;
  FitsWatch watch_;
  StabilityResult result_;
  DistinctRows rows_;
  std::vector<std::vector<Index>> half_rows_;
  std::vector<int> fold_;
  std::vector<Matrix> losses_;
  Index most_ = 0;
  int refits_ = 0;
};

}  // namespace

void StabilityOptions::validate() const {
  require(n_pairs >= 0 && n_pairs <= 100000, "n_pairs", n_pairs, "must lie between 0 and 100000");
  require(threshold > 0.5 && threshold <= 1, "threshold", threshold, "must lie in (0.5, 1]");
  require(coverage > 0 && coverage < 1, "coverage", coverage, "must lie strictly between 0 and 1");
  require(n_folds >= 2 && n_folds <= 1000, "n_folds", n_folds, "must lie between 2 and 1000");
  require(n_permutations >= 19 && n_permutations <= 1000000, "n_permutations", n_permutations,
          "must lie between 19 and 1000000");
  require(n_refits == 0 || (n_refits >= 19 && n_refits <= 100000), "n_refits", n_refits,
          "must be 0 or lie between 19 and 100000");
}

StabilityResult stability(const FitInput& input, const FitOptions& fit_options,
                          const StabilityOptions& options, StabilityObserver* observer) {
  const ThreadLimit limit(std::max(0, fit_options.n_threads));
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  return Stability(input, fit_options, options, observer).run();
}

}  // namespace bkernn
