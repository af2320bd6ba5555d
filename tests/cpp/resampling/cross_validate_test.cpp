#include "bkernn/cross_validate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/penalty.hpp"
#include "cross_validate_problem.hpp"
#include "resampling/scorer.hpp"
#include "theory/theory_ascent.hpp"

namespace bkernn {
namespace {

// ---- λ_max.

// Above λ_max no W beats W = 0; just below it, a small step along the best direction does.
TEST(LargestRegularization, IsWhereTheConstantCeasesToBeOptimal) {
  const SimulatedData data("multi_index");
  for (const std::string& penalty : penalty_names()) {
    FitOptions options = small_fit();
    options.penalty = penalty;
    const double largest = largest_regularization(data.input(), options);
    ASSERT_GT(largest, 0);
    const bool convex = !penalty.starts_with("concave");
    // The constant, by a fit that starts and stays there.
    FitOptions at = options;
    at.init = Matrix::Zero(4, 10);
    at.regularization = largest;
    const double constant = fit(data.input(), at).report.objective;

    at.init.resize(0, 0);
    if (convex) {
      at.regularization = 1.001 * largest;
      const FitReport above = fit(data.input(), at).report;
      EXPECT_GE(above.objective, constant * (1 - 1e-9)) << penalty;
    }
    // All particles along the maximizer, over a range of lengths.
    const bool l1 = penalty.ends_with("variable") || penalty == "basic_l1";
    const Matrix Z = [&] {
      Matrix X = data.set.train.X;
      X.rowwise() -= X.colwise().mean().eval();
      const RowVector scale = (X.colwise().squaredNorm() / 120.0).cwiseSqrt();
      return Matrix(X * scale.cwiseInverse().asDiagonal());
    }();
    Matrix g = data.set.train.Y;
    g.array() -= g.mean();
    Rng rng(0);
    const Vector w =
        theory::maximize_on_sphere(Z, g, l1 ? theory::Sphere::l1 : theory::Sphere::l2, 8, 100, rng)
            .w;
    at.regularization = 0.98 * largest;
    at.max_iter = 0;
    double lowest = constant;
    for (const double length : {1e-4, 1e-3, 1e-2, 0.1}) {
      at.init = length * w * RowVector::Ones(10);
      lowest = std::min(lowest, fit(data.input(), at).report.objective);
    }
    EXPECT_LT(lowest, constant) << penalty;
  }
}

TEST(LargestRegularization, ScalesWithTheTargetsAndNotWithX) {
  const SimulatedData data("multi_index");
  const double one = largest_regularization(data.input(), small_fit());
  const Matrix Y = 7 * data.set.train.Y;
  const Matrix X = (100 * data.set.train.X).array() + 5;
  EXPECT_NEAR(largest_regularization({.X = X, .Y = Y}, small_fit()), 7 * one, 1e-6 * one);
}

TEST(LargestRegularization, WeightsAreCounts) {
  const SimulatedData data("multi_index", 60);
  Vector weights = Vector::Ones(60);
  weights(4) = 2;
  weights(9) = 0;
  Matrix X = data.set.train.X, Y = data.set.train.Y;
  X.row(9) = X.row(4);
  Y.row(9) = Y.row(4);
  FitInput weighted = data.input();
  weighted.weights = &weights;
  const double a = largest_regularization(weighted, small_fit());
  EXPECT_NEAR(a, largest_regularization({.X = X, .Y = Y}, small_fit()), 1e-3 * a);
}

TEST(RegularizationPath, FallsGeometricallyFromTheLargest) {
  const SimulatedData data("multi_index");
  CrossValidateOptions options;
  options.n_lambdas = 5;
  options.ratio = 1e-2;
  const Vector path = regularization_path(data.input(), small_fit(), options);
  ASSERT_EQ(path.size(), 5);
  EXPECT_NEAR(path(0), largest_regularization(data.input(), small_fit()), 1e-12);
  for (Index i = 1; i < 5; ++i) EXPECT_NEAR(path(i) / path(i - 1), std::sqrt(0.1), 1e-12);
  options.lambdas = {0.1, 3, 0.5};
  EXPECT_EQ(regularization_path(data.input(), small_fit(), options),
            Vector(Eigen::Vector3d(3, 0.5, 0.1)));
}

// ---- The result.

TEST(CrossValidate, SameBitsOnAnyNumberOfThreads) {
  const SimulatedData data("multi_index");
  const auto run = [&](int threads) {
    FitOptions options = small_fit();
    options.n_threads = threads;
    return cross_validate(data.input(), options, small_path());
  };
  const CrossValidateResult one = run(1);
  for (const int threads : {2, 4}) {
    const CrossValidateResult many = run(threads);
    EXPECT_EQ(one.paths[0].scores, many.paths[0].scores);
    EXPECT_EQ(one.point, many.point);
    EXPECT_EQ(one.evaluations, many.evaluations);
    EXPECT_EQ(one.fit->W, many.fit->W);
  }
}

TEST(CrossValidate, ScoresAreThoseOfSeparateFits) {
  const SimulatedData data("multi_index", 60);
  CrossValidateOptions options = small_path();
  options.lambdas = {0.5, 0.1, 0.02};
  options.scorer = "r2";
  options.fold_iterations = 0;
  options.patience = 0;
  const CrossValidateResult result = cross_validate(data.input(), small_fit(), options);
  for (int fold = 0; fold < 3; ++fold) {
    std::vector<Index> train, test;
    for (Index i = 0; i < 60; ++i) (result.fold_of_row[i] == fold ? test : train).push_back(i);
    const Matrix X = data.set.train.X(train, Eigen::all), Y = data.set.train.Y(train, Eigen::all);
    const Matrix X_test = data.set.train.X(test, Eigen::all),
                 Y_test = data.set.train.Y(test, Eigen::all);
    for (Index point = 0; point < 3; ++point) {
      FitOptions one = small_fit();
      one.regularization = options.lambdas[point];
      const double score = r2_score(Y_test, fit(X, Y, one).model.predict(X_test));
      EXPECT_NEAR(result.paths[0].scores(point, fold), score, 1e-6);
    }
  }
  const PathScores& path = result.paths[0];
  EXPECT_NEAR(path.mean(1), path.scores.row(1).mean(), 1e-12);
  const double variance = (path.scores.row(1).array() - path.mean(1)).square().sum() / 2;
  EXPECT_NEAR(path.standard_error(1), std::sqrt(variance / 3), 1e-12);
  EXPECT_EQ(result.options.regularization, path.lambdas(path.best));
  EXPECT_EQ(result.fit->regularization, path.lambdas(path.best));
}

// On knots too, with the stages that fit() would take.
TEST(CrossValidate, ScoresOnKnotsAreThoseOfSeparateFits) {
  const SimulatedData data("multi_index", 7500);
  FitOptions knots = small_fit();
  knots.knots = 12;
  knots.max_iter = 5;
  CrossValidateOptions options = small_path();
  options.lambdas = {0.02};
  options.scorer = "r2";
  options.refit = false;
  const CrossValidateResult result = cross_validate(data.input(), knots, options);
  std::vector<Index> train, test;
  for (Index i = 0; i < 7500; ++i) (result.fold_of_row[i] == 1 ? test : train).push_back(i);
  const Matrix X = data.set.train.X(train, Eigen::all), Y = data.set.train.Y(train, Eigen::all);
  const Matrix X_test = data.set.train.X(test, Eigen::all),
               Y_test = data.set.train.Y(test, Eigen::all);
  knots.regularization = 0.02;
  const FitResult one = fit(X, Y, knots);
  EXPECT_EQ(one.report.kernel_operator, "knots");
  EXPECT_EQ(one.report.stages(), (std::vector<Index>{2000, 4000, 5000}));
  EXPECT_NEAR(result.paths[0].scores(0, 1), r2_score(Y_test, one.model.predict(X_test)), 1e-9);
}

TEST(CrossValidate, OneStandardErrorChoosesALargerRegularization) {
  const SimulatedData data("multi_index");
  CrossValidateOptions options = small_path();
  const CrossValidateResult best = cross_validate(data.input(), small_fit(), options);
  options.one_standard_error = true;
  const CrossValidateResult simple = cross_validate(data.input(), small_fit(), options);
  const PathScores& path = simple.paths[0];
  EXPECT_EQ(simple.point, path.one_standard_error);
  EXPECT_EQ(best.point, path.best);
  EXPECT_LE(simple.point, best.point);
  const double limit = path.mean(path.best) + path.standard_error(path.best);
  EXPECT_LE(path.mean(simple.point), limit);
  for (Index i = 0; i < simple.point; ++i) EXPECT_GT(path.mean(i), limit);
}

// Groups keep copies of a row apart in folds; the refit merges them as fit() does.
TEST(CrossValidate, RefitIsAFitOfTheChosenOptions) {
  const SimulatedData data("multi_index", 40);
  Matrix X(80, 4), Y(80, 1);
  X << data.set.train.X, data.set.train.X;
  Y << data.set.train.Y, data.set.train.Y;
  CrossValidateOptions options = small_path();
  for (Index i = 0; i < 80; ++i) options.groups.push_back(i);
  const FitInput input{.X = X, .Y = Y};
  const CrossValidateResult found = cross_validate(input, small_fit(), options);
  const FitResult again = fit(input, found.options);
  EXPECT_EQ(found.fit->W, again.W);
  EXPECT_EQ(found.fit->alpha, again.alpha);
}

TEST(CrossValidate, FindsAGoodRegularization) {
  const SimulatedData data("sine_features", 200, 5);
  CrossValidateOptions options;
  options.scorer = "r2";
  FitOptions concave = small_fit();
  concave.penalty = "concave_feature";
  const CrossValidateResult result = cross_validate(data.input(), concave, options);
  EXPECT_TRUE(result.higher_is_better);
  // λ_max is that of all rows, and a concave penalty has other minima than 0 there: the constant,
  // or little more.
  EXPECT_LT(result.paths[0].mean(0), 0.3);
  EXPECT_GT(result.paths[0].mean(1), 0.8);
  EXPECT_GT(result.paths[0].mean(result.point), 0.9);
  EXPECT_GT(r2_score(data.set.test.Y, result.fit->model.predict(data.set.test.X)), 0.9);
}

TEST(CrossValidate, RacesCandidates) {
  const SimulatedData data("sine_variables", 150, 6);
  std::vector<FitOptions> candidates(3, small_fit());
  candidates[0].penalty = "basic";
  candidates[1].penalty = "concave_variable";
  candidates[2].kernel = "gaussian";
  const CrossValidateResult result = cross_validate(data.input(), candidates, small_path());
  ASSERT_EQ(result.paths.size(), 3u);
  for (const PathScores& path : result.paths) {
    const PathScores& winner = result.paths[result.candidate];
    EXPECT_GE(path.mean(path.best), winner.mean(winner.best));
  }
  EXPECT_EQ(result.options.penalty, candidates[result.candidate].penalty);
  EXPECT_EQ(result.fit->model.penalty, result.options.penalty);
}

// The first penalty has a whole path, the others only where the one before them is best.
TEST(CrossValidate, FurtherPenaltiesStayWhereTheFirstWasBest) {
  const SimulatedData data("multi_index");
  FitOptions options = small_fit();
  options.penalty = "auto";
  CrossValidateOptions how;
  how.n_folds = 3;
  how.refit = false;
  const CrossValidateResult result = cross_validate(data.input(), options, how);
  ASSERT_EQ(result.paths.size(), 3);
  const PathScores& first = result.paths[0];
  const double best = first.lambdas(first.best);
  EXPECT_EQ(first.lambdas(0), largest_regularization(data.input(), first.options));
  EXPECT_DOUBLE_EQ(result.paths[1].lambdas(0), 8 * best);
  for (std::size_t c = 1; c < 3; ++c) EXPECT_LE(result.paths[c].lambdas.size(), 6);

  how.lambdas = {best, 2 * best};
  for (const PathScores& path : cross_validate(data.input(), options, how).paths) {
    EXPECT_EQ(path.lambdas, Vector({{2 * best, best}}));
  }
}

TEST(CrossValidate, EveryScorerOfEveryLoss) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"logistic", {"loss", "accuracy", "log_loss"}},
      {"square", {"loss", "r2", "mse", "rmse", "mae", "pinball"}},
      {"quantile", {"loss", "pinball", "mse"}}};
  for (const auto& [loss, scorers] : cases) {
    const SimulatedData data(loss == "logistic" ? "logistic" : "multi_index", 60);
    FitOptions fit_options = small_fit();
    fit_options.loss = loss;
    for (const std::string& scorer : scorers) {
      CrossValidateOptions options = small_path();
      options.n_lambdas = 3;
      options.scorer = scorer;
      const CrossValidateResult result = cross_validate(data.input(), fit_options, options);
      EXPECT_TRUE(result.paths[0].scores.allFinite()) << loss << " " << scorer;
      EXPECT_GE(result.candidate, 0);
    }
  }
}

TEST(CrossValidate, ScoresOfErrorsByHand) {
  const Matrix Y{{1.0}, {2.0}, {6.0}}, F{{1.0}, {3.0}, {2.0}};  // errors 0, 1, 4
  const Vector weights{{1.0, 2.0, 1.0}};
  const auto score = [&](const char* name) {
    return make_scorer(name, {}, RowVector::Ones(1)).score(Y, F, &weights);
  };
  EXPECT_DOUBLE_EQ(score("mse"), 18.0 / 4);
  EXPECT_DOUBLE_EQ(score("rmse"), std::sqrt(18.0 / 4));
  EXPECT_DOUBLE_EQ(score("mae"), 6.0 / 4);
  EXPECT_FALSE(make_scorer("mae", {}, RowVector::Ones(1)).higher_is_better);
}

TEST(CrossValidate, PreviousStartWalksFromTheLargerRegularization) {
  const SimulatedData data("sine_features", 100, 6);
  CrossValidateOptions options = small_path();
  options.patience = 0;
  const CrossValidateResult shared = cross_validate(data.input(), small_fit(), options);
  options.start = "previous";
  const CrossValidateResult previous = cross_validate(data.input(), small_fit(), options);
  EXPECT_EQ(shared.paths[0].scores.row(0), previous.paths[0].scores.row(0));
  EXPECT_NE(shared.paths[0].scores.row(3), previous.paths[0].scores.row(3));
}

class StopAfter final : public CrossValidateObserver {
 public:
  StopAfter(int points, int polls) : points_(points), polls_(polls) {}
  bool on_point(const CrossValidateProgress& progress) override {
    EXPECT_EQ(progress.point, seen_++);
    EXPECT_GT(progress.regularization, 0);
    return --points_ > 0;
  }
  bool poll() override { return --polls_ > 0; }

 private:
  int points_, polls_, seen_ = 0;
};

TEST(CrossValidate, StopsAndReturnsWhatIsThere) {
  const SimulatedData data("multi_index");
  StopAfter two_points(2, 1 << 30);
  const CrossValidateResult some =
      cross_validate(data.input(), small_fit(), small_path(), &two_points);
  EXPECT_TRUE(some.stopped);
  EXPECT_EQ(some.paths[0].lambdas.size(), 2);
  EXPECT_EQ(some.candidate, 0);
  EXPECT_FALSE(some.fit.has_value());

  StopAfter at_once(1 << 30, 1);
  const CrossValidateResult none =
      cross_validate(data.input(), small_fit(), small_path(), &at_once);
  EXPECT_TRUE(none.stopped);
  EXPECT_FALSE(none.fit.has_value());

  StopAfter late(1 << 30, 1 << 30);
  EXPECT_FALSE(cross_validate(data.input(), small_fit(), small_path(), &late).stopped);
}

TEST(CrossValidate, ErrorsNameTheConstraint) {
  const SimulatedData data("multi_index", 20);
  const auto fails = [&](auto change, FitOptions fit_options = small_fit()) {
    CrossValidateOptions options = small_path();
    change(options);
    EXPECT_THROW(cross_validate(data.input(), fit_options, options), InvalidArgument);
  };
  fails([](auto& o) { o.n_folds = 1; });
  fails([](auto& o) { o.n_folds = 21; });
  fails([](auto& o) { o.folds = "random"; });
  fails([](auto& o) { o.ratio = 1; });
  fails([](auto& o) { o.lambdas = {1, -1}; });
  fails([](auto& o) { o.scorer = "accuracy"; });
  fails([](auto& o) { o.scorer = "auc"; });
  fails([](auto& o) { o.groups = {1, 2}; });
  fails([](auto& o) { o.groups.assign(20, 1); });
  fails([](auto& o) { o.fold_of_row.assign(20, 3); });
  fails([](auto& o) { o.start = "warm"; });
  EXPECT_THROW(cross_validate(data.input(), std::vector<FitOptions>{}, small_path()),
               InvalidArgument);
  std::vector<FitOptions> mixed(2, small_fit());
  mixed[1].loss = "huber";
  EXPECT_THROW(cross_validate(data.input(), mixed, small_path()), InvalidArgument);
}

// ---- The mean of the fits of all folds.

TEST(CrossValidateEnsemble, IsTheMeanOfFitsWithoutEachFold) {
  const SimulatedData data("multi_index");
  CrossValidateOptions path = small_path();
  path.ensemble = true;
  const CrossValidateResult result = cross_validate(data.input(), small_fit(), path);
  const FitResult& mean = *result.fit;
  mean.model.validate();
  EXPECT_EQ(mean.report.models, 3);
  EXPECT_EQ(mean.model.n_particles, 30);
  EXPECT_EQ(mean.alpha.size(), 0);
  EXPECT_EQ(mean.regularization, *result.options.regularization);
  EXPECT_LE((mean.model.W - mean.W).norm(), 1e-12);  // in the same coordinates
  Matrix want = Matrix::Zero(200, 1);
  for (int fold = 0; fold < 3; ++fold) {
    std::vector<Index> rows;
    for (Index i = 0; i < 120; ++i) {
      if (result.fold_of_row[i] != fold) rows.push_back(i);
    }
    FitOptions options = result.options;
    options.seed += 0x9E3779B97F4A7C15 * static_cast<std::uint64_t>(fold);
    *options.regularization *= std::pow(120.0 / static_cast<double>(rows.size()), 0.4);
    const Matrix X = data.set.train.X(rows, Eigen::all), Y = data.set.train.Y(rows, Eigen::all);
    want += fit({.X = X, .Y = Y}, options).model.predict(data.set.test.X) / 3;
  }
  EXPECT_LE((mean.model.predict(data.set.test.X) - want).cwiseAbs().maxCoeff(), 2e-4);
  FitOptions within = small_fit();
  within.n_directions = 1;
  EXPECT_THROW(cross_validate(data.input(), within, path), InvalidArgument);
}

// ---- Intervals.

// From the fits of the path: the errors of a fold are those that its score at the chosen λ is made
// of, for the best λ and for the largest one within a standard error.
TEST(CrossValidateIntervals, ComeFromTheFoldsThatWereFitted) {
  const SimulatedData data("multi_index");
  for (const bool one_standard_error : {false, true}) {
    FitOptions options = small_fit();
    options.intervals = "cross";
    CrossValidateOptions path = small_path();
    path.scorer = "mse";
    path.one_standard_error = one_standard_error;
    const CrossValidateResult result = cross_validate(data.input(), options, path);
    const PathScores& scores = result.paths[result.candidate];
    const auto& calibration = result.fit->model.calibration;
    ASSERT_NE(calibration, nullptr);
    ASSERT_EQ(calibration->parts.size(), 3);
    calibration->validate(result.fit->model);
    for (int fold = 0; fold < 3; ++fold) {
      const HeldOutErrors& errors = calibration->parts[fold].errors.at(0);
      const double mean = errors.sizes.squaredNorm() / errors.total();
      EXPECT_NEAR(mean, scores.scores(result.point, fold), 0.03 * mean) << fold;
    }
    options.intervals = "none";
    const CrossValidateResult plain = cross_validate(data.input(), options, path);
    EXPECT_EQ(result.evaluations, plain.evaluations);
    EXPECT_EQ(result.fit->model.predict(data.set.test.X),
              plain.fit->model.predict(data.set.test.X));
  }
}

}  // namespace
}  // namespace bkernn
