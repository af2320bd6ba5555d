#include "calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "bkernn/folds.hpp"
#include "calibration/leave_one_out.hpp"
#include "choice/choose.hpp"
#include "choice/lambda_law.hpp"
#include "rows/shard.hpp"
#include "training/fit_rows.hpp"
#include "training/fits_watch.hpp"
#include "training/mean_fit.hpp"

namespace bkernn {
namespace {

constexpr int kFolds = 10, kFoldsOfMany = 5;
constexpr Index kManyRows = 2000;
constexpr Index kParallelRows = 20000;  // beyond, folds run one after the other, for memory
constexpr double kLowLevel = 0.05, kHighLevel = 0.95;
constexpr double kKnotTolerance = 0.03;  // of what is left of the training rows

class FoldCalibration {
 public:
  FoldCalibration(const FitInput& input, const DistinctRows& rows, const FitProblem& problem,
                  const FitResult& result, const FitOptions& options)
      : input_(input), rows_(rows), options_(options), classes_(problem.parts.loss->classifies()) {
    if (options.n_directions == 0) {  // else every fold goes the whole way
      options_.penalty = result.model.penalty;
      options_.regularization = result.regularization;
    }
    deal();
    if (options.intervals == "quantile") ask_for_quantiles();
  }

  std::shared_ptr<const Calibration> run(Observer* observer) {
    auto calibration = std::make_shared<Calibration>();
    calibration->method = options_.intervals;
    calibration->parts.resize(folds_);
    FitsWatch watch(
        [&] { return observer == nullptr || observer->on_calibration(watch.finished, folds_); });
    const bool together = rows_.size() <= kParallelRows;
    const auto one = [&](Index fold) {
      if (watch.stopped) return;
      try {
        calibration->parts[fold] = calibrate_fold(static_cast<int>(fold), watch);
      } catch (...) {
        watch.stopped = true;
        throw;
      }
      ++watch.finished;
    };
    if (together) {
      const double cost = 1e9;  // worth all threads
      parallel_for(folds_, cost, one);
    } else {
      for (Index fold = 0; fold < folds_; ++fold) one(fold);
    }
    watch.on_calibration(folds_, folds_);  // other threads may have done all, and ask nobody
    return watch.stopped ? nullptr : calibration;
  }

 private:
  void deal() {
    if (input_.interval_folds != nullptr) {
      const std::vector<int>& given = *input_.interval_folds;
      rows_ = distinct_rows(input_, options_, std::vector<Index>(given.begin(), given.end()));
      for (const Index i : rows_.rows) fold_.push_back(given[i]);
      folds_ = 1 + *std::max_element(fold_.begin(), fold_.end());
      return;
    }
    FoldOptions deal;
    deal.n_folds = folds_ = rows_.size() < kManyRows ? kFolds : kFoldsOfMany;
    deal.seed = options_.seed;
    fold_ = assign_folds(input_.Y(rows_.rows, Eigen::all).eval(), deal, classes_);
  }

  // λ of the mean says little about that of quantiles: all rows choose it once more.
  void ask_for_quantiles() {
    options_.early_stopping = false;
    options_.n_directions = 0;
    options_.loss = "quantile";
    options_.loss_parameters.quantiles = {kLowLevel, kHighLevel};
    options_.regularization.reset();
    options_.regularization_rule = "auto";
    const FitParts parts(options_, rows_.size());
    Shard shard = make_pairs(rows_, *parts.loss);
    const FitProblem problem(parts, shard, input_.encoder);
    options_.regularization = choose(problem, nullptr).lambda * problem.coordinates.lambda_unit();
  }

  CalibrationPart calibrate_fold(int fold, FitsWatch& watch) const {
    std::vector<Index> in, out;
    for (Index i = 0; i < rows_.size(); ++i) (fold_[i] == fold ? out : in).push_back(i);
    const DistinctRows training = rows_.part(in);
    FitOptions options = options_;
    options.intervals = "none";
    const double share = static_cast<double>(in.size()) / static_cast<double>(rows_.size());
    if (options.regularization) *options.regularization *= lambda_of_part(share, options);
    const FitParts parts(options, training.size());
    const bool pairs = options_.intervals == "quantile";
    Shard shard =
        pairs ? make_pairs(training, *parts.loss) : make_shard(input_, training, *parts.loss);
    const FitProblem problem(parts, shard, input_.encoder);
    ValidationRows validation{input_.validation_X, input_.validation_Y};
    if (pairs) validation = {};
    FitResult result = fit_rows(problem, validation, nullptr, &watch);
    Model model = fold_model(result.model, input_, training);
    return calibration_part(std::move(model), input_, rows_.part(out), classes_);
  }

  // y twice, once for each level.
  Shard make_pairs(const DistinctRows& training, const Loss& loss) const {
    Matrix twice(input_.Y.rows(), 2);
    twice << input_.Y, input_.Y;
    const MatrixView Y = twice;
    return make_shard(FitInput{.X = input_.X, .Y = Y, .weights = input_.weights}, training, loss);
  }

  const FitInput& input_;
  DistinctRows rows_;
  FitOptions options_;
  const bool classes_;
  std::vector<int> fold_;  // of each of the rows
  int folds_ = 0;
};

std::shared_ptr<const Calibration> calibrate_fast(const FitInput& input, const DistinctRows& rows,
                                                  const FitProblem& problem,
                                                  const FitResult& result) {
  const FitParts& parts = problem.parts;
  const Coordinates& coordinates = problem.coordinates;
  require(!parts.loss->classifies(), "intervals", "fast", "classes take cross");
  const Matrix all = result.model.predict(input.X);
  Matrix F = all(rows.rows, Eigen::all);
  standardize(F, coordinates.target_center, coordinates.target_scale);
  LeaveOneOut left_out =
      leave_one_out(*problem.shards.here(), F, result.W, *parts.kernel, *parts.loss,
                    result.regularization / coordinates.lambda_unit(), parts.options.seed);
  left_out.F = (left_out.F.array().rowwise() * coordinates.target_scale.array()).rowwise() +
               coordinates.target_center.array();
  const DistinctRows some = rows.part(left_out.rows);
  const Vector weights = some.weights.size() > 0 ? some.weights : Vector::Ones(some.size());
  const Matrix errors =
      (input.Y(some.rows, Eigen::all) - parts.loss->response(left_out.F)).cwiseAbs();
  auto calibration = std::make_shared<Calibration>();
  calibration->method = "fast";
  CalibrationPart& part = calibration->parts.emplace_back();
  for (Index k = 0; k < errors.cols(); ++k)
    part.errors.push_back(HeldOutErrors::sorted(errors.col(k), weights));
  return calibration;
}

// The root mean square of what is left of the training rows, of the output where it is least.
double smallest_error(const Model& model, const FitInput& input, const DistinctRows& training) {
  const Matrix F = model.predict(input.X(training.rows, Eigen::all).eval());
  const Matrix Y = input.Y(training.rows, Eigen::all);
  const Matrix left = F - Y.replicate(1, F.cols() / Y.cols());
  return std::sqrt(left.colwise().squaredNorm().minCoeff() / static_cast<double>(left.rows()));
}

}  // namespace

Model fold_model(const Model& fitted, const FitInput& input, const DistinctRows& training) {
  Model model = fitted.for_file();
  const bool linear = make_kernel(model.kernel)->piecewise_linear();
  if (!linear || make_loss(model.loss)->targets() != Targets::numbers) return model;
  return model.compress(kKnotTolerance * smallest_error(model, input, training));
}

CalibrationPart calibration_part(Model model, const FitInput& input, const DistinctRows& held_out,
                                 bool classes) {
  CalibrationPart part;
  part.model = std::move(model);
  const Matrix X = input.X(held_out.rows, Eigen::all), Y = input.Y(held_out.rows, Eigen::all);
  const Vector weights =
      held_out.weights.size() > 0 ? held_out.weights : Vector::Ones(held_out.size());
  const Matrix response = part.model->predict_response(X);
  if (classes) {
    const Matrix p = response.rightCols(Y.cols());
    const Vector of_class =
        Y.cols() == 1 ? Vector(Y.cwiseProduct(p) +
                               (1 - Y.array()).matrix().cwiseProduct((1 - p.array()).matrix()))
                      : Vector(Y.cwiseProduct(p).rowwise().sum());
    part.errors.push_back(HeldOutErrors::sorted((1 - of_class.array()).matrix(), weights));
    return part;
  }
  const Index q = Y.cols();
  for (Index k = 0; k < q; ++k) {
    const Vector errors =
        (response.col(k) - Y.col(k)).cwiseMax(Y.col(k) - response.col(response.cols() - q + k));
    part.errors.push_back(HeldOutErrors::sorted(errors, weights));
  }
  return part;
}

void calibrate(const FitInput& input, const DistinctRows& rows, const FitProblem& problem,
               const FitOptions& options, Observer* observer, FitResult& result) {
  if (options.intervals == "none" || result.report.termination == Termination::stopped) return;
  result.model.calibration =
      options.intervals == "fast"
          ? calibrate_fast(input, rows, problem, result)
          : FoldCalibration(input, rows, problem, result, options).run(observer);
  if (result.model.calibration == nullptr) result.report.termination = Termination::stopped;
}

void check_calibration(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                       const Loss& loss) {
  const std::string& method = options.intervals;
  if (method == "none") return;
  require(loss.quantiles().empty(), "intervals", method,
          "several quantiles have none of their own; take quantile with the square loss");
  require(method == "cross" || !loss.classifies(), "intervals", method, "classes take cross");
  if (method == "quantile") {
    require(loss.targets() == Targets::numbers, "intervals", method, "counts take cross or fast");
    require(input.Y.cols() == 1, "intervals", method, "takes one target; take cross for several");
  }
  if (method == "fast") return;
  if (input.interval_folds != nullptr) {
    require(static_cast<Index>(input.interval_folds->size()) == input.X.rows(), "interval_folds",
            input.interval_folds->size(), "must be one per row of X");
    return;
  }
  require(rows.size() >= kFolds, "intervals", method,
          "needs " + std::to_string(kFolds) + " different rows, one for each fold, and there are " +
              std::to_string(rows.size()));
}

}  // namespace bkernn
