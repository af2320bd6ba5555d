// Cross-validation of many rows: paths on a sample, then a few λ on all rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/rng.hpp"
#include "bkernn/intervals.hpp"
#include "cross_validate_problem.hpp"
#include "resampling/folded_rows.hpp"
#include "resampling/path_walk.hpp"

namespace bkernn {
namespace {

constexpr Index kMany = 6300, kSample = 3000;

FitOptions quick_fit() {
  FitOptions options = small_fit();
  options.n_particles = 4;
  options.max_iter = 8;
  return options;
}

CrossValidateOptions quick_folds() {
  CrossValidateOptions options;
  options.n_folds = 3;
  options.fold_iterations = 8;
  return options;
}

const SimulatedData& many_rows_data() {
  static const SimulatedData data("multi_index", kMany, 3);
  return data;
}

// What the others are compared with.
const CrossValidateResult& plain_result() {
  static const CrossValidateResult result =
      cross_validate(many_rows_data().input(), quick_fit(), quick_folds());
  return result;
}

void expect_same(const CrossValidateResult& a, const CrossValidateResult& b) {
  ASSERT_EQ(a.paths.size(), b.paths.size());
  for (std::size_t p = 0; p < a.paths.size(); ++p) {
    EXPECT_EQ(a.paths[p].rows, b.paths[p].rows);
    EXPECT_EQ(a.paths[p].lambdas, b.paths[p].lambdas);
    EXPECT_EQ(a.paths[p].scores, b.paths[p].scores);
  }
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.fit->model.predict(many_rows_data().set.test.X),
            b.fit->model.predict(many_rows_data().set.test.X));
}

TEST(CrossValidateSample, WalksThePathOnASampleAndAFewPointsOnAllRows) {
  const CrossValidateResult& result = plain_result();
  ASSERT_EQ(result.paths.size(), 2);
  const PathScores &sample = result.paths[0], &all = result.paths[1];
  EXPECT_GE(sample.rows, kSample);
  EXPECT_LE(sample.rows, kSample + 3);
  EXPECT_EQ(all.rows, kMany);
  EXPECT_GT(sample.lambdas.size(), 8);
  EXPECT_LE(all.lambdas.size(), 5);
  EXPECT_EQ(result.path, 1);
  EXPECT_EQ(result.candidate, 0);
  EXPECT_EQ(all.candidate, 0);
  EXPECT_EQ(result.point, all.best);
  EXPECT_EQ(result.options.regularization, all.lambdas(all.best));
  EXPECT_EQ(result.fit->regularization, all.lambdas(all.best));
  for (const int fold : result.fold_of_row) EXPECT_GE(fold, 0);

  // Where the sample was best, by the law, and from there up or down until it helps no more.
  const double share = static_cast<double>(sample.rows) / static_cast<double>(kMany);
  const double carried = sample.lambdas(sample.best) * std::pow(share, 0.4);
  EXPECT_LT((all.lambdas.array() / carried - 1).abs().minCoeff(), 1e-12);
  for (Index i = 1; i < all.lambdas.size(); ++i)
    EXPECT_DOUBLE_EQ(all.lambdas(i - 1), 2 * all.lambdas(i));
  EXPECT_GT(all.best, 0);
  EXPECT_TRUE(all.best < all.lambdas.size() - 1 || all.best == 1);
  // More rows predict better.
  EXPECT_LT(all.mean(all.best), sample.mean(sample.best));
}

TEST(CrossValidateSample, WithAConcavePenaltyLambdaDoesNotFallOnAllRows) {
  FitOptions fit_options = quick_fit();
  fit_options.penalty = "concave_feature";
  CrossValidateOptions options = quick_folds();
  options.refit = false;
  const CrossValidateResult result = cross_validate(many_rows_data().input(), fit_options, options);
  const PathScores &sample = result.paths[0], &all = result.paths[1];
  const double share = static_cast<double>(sample.rows) / static_cast<double>(kMany);
  const double carried = sample.lambdas(sample.best) * std::pow(share, 0.4);
  EXPECT_NEAR(all.lambdas(all.lambdas.size() - 1) / carried, 1, 1e-12);
}

TEST(CrossValidateSample, IsTheSameForAnyThreadsAndOrderOfRows) {
  FitOptions four = quick_fit();
  four.n_threads = 4;
  const SimulatedData& data = many_rows_data();
  expect_same(cross_validate(data.input(), four, quick_folds()), plain_result());

  std::vector<Index> order(kMany);
  std::iota(order.begin(), order.end(), Index{0});
  Rng(7).shuffle(order);
  const Matrix X = data.set.train.X(order, Eigen::all), Y = data.set.train.Y(order, Eigen::all);
  expect_same(cross_validate({.X = X, .Y = Y}, quick_fit(), quick_folds()), plain_result());
}

TEST(CrossValidateSample, WeightsAreCounts) {
  const SimulatedData& data = many_rows_data();
  Vector weights = Vector::Ones(kMany);
  weights.head(100).setConstant(2);
  FitInput weighted = data.input();
  weighted.weights = &weights;
  Matrix X(kMany + 100, 3), Y(kMany + 100, 1);
  X << data.set.train.X, data.set.train.X.topRows(100);
  Y << data.set.train.Y, data.set.train.Y.topRows(100);
  expect_same(cross_validate(weighted, quick_fit(), quick_folds()),
              cross_validate({.X = X, .Y = Y}, quick_fit(), quick_folds()));
}

TEST(CrossValidateSample, PathsThatAreAskedForHaveAllRows) {
  CrossValidateOptions options = quick_folds();
  options.refit = false;
  options.n_lambdas = 2;
  options.ratio = 0.5;
  const CrossValidateResult result = cross_validate(many_rows_data().input(), quick_fit(), options);
  ASSERT_EQ(result.paths.size(), 1);
  EXPECT_EQ(result.paths[0].rows, kMany);
}

// Of the penalties only the best, and what may be as good, has points of all rows.
TEST(CrossValidateSample, CandidatesThatAreClearlyBehindEndOnTheSample) {
  std::vector<FitOptions> candidates(2, quick_fit());
  candidates[0].n_particles = 1;
  candidates[0].max_iter = 1;
  CrossValidateOptions options = quick_folds();
  options.refit = false;
  const CrossValidateResult result = cross_validate(many_rows_data().input(), candidates, options);
  ASSERT_EQ(result.paths.size(), 3);
  EXPECT_EQ(result.candidate, 1);
  EXPECT_EQ(result.paths[2].candidate, 1);
  EXPECT_EQ(result.paths[2].rows, kMany);

  candidates[0] = candidates[1];
  const CrossValidateResult equal = cross_validate(many_rows_data().input(), candidates, options);
  ASSERT_EQ(equal.paths.size(), 4);
  EXPECT_EQ(equal.candidate, 0);
  EXPECT_EQ(equal.paths[3].lambdas.size(), 1);  // does not lead, and does not climb
}

TEST(CrossValidateSample, OneStandardErrorLooksForALargerLambdaOnAllRows) {
  CrossValidateOptions options = quick_folds();
  options.one_standard_error = true;
  const CrossValidateResult result = cross_validate(many_rows_data().input(), quick_fit(), options);
  const PathScores& path = result.paths[result.path];
  EXPECT_EQ(path.rows, kMany);
  EXPECT_EQ(result.point, path.one_standard_error);
  EXPECT_GT(path.one_standard_error, 0);  // a larger λ has been tried, and is too far behind
}

TEST(CrossValidateSample, IntervalsTakeTheFoldsOfAllRows) {
  FitOptions fit_options = quick_fit();
  fit_options.intervals = "cross";
  CrossValidateOptions options = quick_folds();
  options.scorer = "mse";
  const CrossValidateResult result = cross_validate(many_rows_data().input(), fit_options, options);
  const auto& calibration = result.fit->model.calibration;
  ASSERT_NE(calibration, nullptr);
  ASSERT_EQ(calibration->parts.size(), 3);
  double rows = 0;
  for (int fold = 0; fold < 3; ++fold) {
    const HeldOutErrors& errors = calibration->parts[fold].errors.at(0);
    rows += errors.total();
    const double mean = errors.sizes.squaredNorm() / errors.total();
    EXPECT_NEAR(mean, result.paths[result.path].scores(result.point, fold), 0.03 * mean) << fold;
  }
  EXPECT_EQ(rows, kMany);
}

// What is best on the sample after two iterations is fitted to the end before it is believed.
TEST(CrossValidateSample, TheBestOfTheSampleIsFinished) {
  CrossValidateOptions options = quick_folds();
  options.refit = false;
  options.fold_iterations = 2;
  const FitInput input = many_rows_data().input();
  const PathScores early = cross_validate(input, quick_fit(), options).paths[0];
  options.fold_iterations = 0;
  const PathScores whole = cross_validate(input, quick_fit(), options).paths[0];
  const auto place =
      std::find(whole.lambdas.begin(), whole.lambdas.end(), early.lambdas(early.best)) -
      whole.lambdas.begin();
  ASSERT_LT(place, whole.lambdas.size());
  EXPECT_EQ(early.scores.row(early.best), whole.scores.row(place));
  EXPECT_NE(early.scores.row(early.best - 1), whole.scores.row(place - 1));
}

class StopAt final : public CrossValidateObserver {
 public:
  explicit StopAt(Index rows) : rows_(rows) {}
  bool on_point(const CrossValidateProgress& progress) override {
    EXPECT_EQ(progress.done, ++points_);
    EXPECT_GE(progress.most, progress.done);
    return progress.rows < rows_;
  }

 private:
  const Index rows_;
  int points_ = 0;
};

TEST(CrossValidateSample, WhatIsStoppedOnTheSampleHasChosenNothing) {
  StopAt sample(1), all(kMany);
  const auto run = [](StopAt& observer) {
    return cross_validate(many_rows_data().input(), quick_fit(), quick_folds(), &observer);
  };
  const CrossValidateResult early = run(sample);
  EXPECT_TRUE(early.stopped);
  EXPECT_EQ(early.candidate, -1);
  EXPECT_EQ(early.path, -1);
  EXPECT_EQ(early.paths[0].lambdas.size(), 1);

  const CrossValidateResult late = run(all);
  EXPECT_TRUE(late.stopped);
  EXPECT_FALSE(late.fit.has_value());
  EXPECT_EQ(late.path, 1);
  EXPECT_EQ(late.paths[1].lambdas.size(), 1);
}

// ---- The sample.

struct Dealt {
  explicit Dealt(const CrossValidateOptions& options)
      : rows(deal_folds(many_rows_data().input(), {quick_fit()}, options, false)),
        standard(prepare_data(many_rows_data().input(), rows.rows, quick_fit(),
                              *make_loss("square", {}))),
        sample(draw_sample(many_rows_data().input(), rows, standard, 300, 1)) {}
  FoldedRows rows;
  PreparedData standard;
  FoldedRows sample;
};

TEST(DrawSample, KeepsTheFoldsAndTheirShares) {
  CrossValidateOptions options = quick_folds();
  options.fold_of_row.assign(kMany, 0);
  for (int i = 0; i < kMany; ++i) options.fold_of_row[i] = i < 5 ? 1 : i < 2100 ? 2 : i % 2 - 1;
  const Dealt dealt(options);
  std::vector<Index> counts(4, 0);
  for (Index k = 0; k < dealt.sample.rows.size(); ++k) {
    const int fold = dealt.sample.fold[k];
    EXPECT_EQ(fold, options.fold_of_row[dealt.sample.rows.rows[k]]);
    ++counts[fold + 1];
  }
  EXPECT_EQ(counts, (std::vector<Index>{100, 100, 1, 100}));
  EXPECT_EQ(dealt.sample.without(2).size(), 201);
  EXPECT_EQ(dealt.sample.held_out[1].X.rows(), 1);
  const std::set<Index> different(dealt.sample.rows.rows.begin(), dealt.sample.rows.rows.end());
  EXPECT_EQ(different.size(), 301);
}

// Its y has the quantiles of all y, nearer than chance would have them.
TEST(DrawSample, RepresentsAllRows) {
  const Dealt dealt(quick_folds());
  const auto sorted = [](const FoldedRows& rows) {
    std::vector<double> y;
    for (const Index i : rows.rows.rows) y.push_back(many_rows_data().set.train.Y(i, 0));
    std::sort(y.begin(), y.end());
    return y;
  };
  const std::vector<double> some = sorted(dealt.sample), all = sorted(dealt.rows);
  for (const double level : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const double y = some[static_cast<std::size_t>(level * static_cast<double>(some.size()))];
    const auto below = std::lower_bound(all.begin(), all.end(), y) - all.begin();
    EXPECT_NEAR(static_cast<double>(below) / kMany, level, 0.01);
  }
}

// ---- A fit that a sample has taught.

TEST(PathWalk, GoesOnAtTheFirstStageWithMoreRowsThanItHasSeen) {
  const SimulatedData data("multi_index", 16000, 3);
  FitOptions options = quick_fit();
  const DistinctRows rows = distinct_rows(data.input(), options);
  PathWalk few(data.input(), rows.part({1, 5, 9, 30, 44, 57, 91, 102}), options, false);
  few.fit(0.01);
  Learned learned = few.learned();
  EXPECT_EQ(learned.rows, 8);
  PathWalk all(data.input(), rows, options, true);
  all.fit_from(learned, 0.01);
  EXPECT_EQ(all.report().stages(), (std::vector<Index>{2000, 4000, 16000}));
  learned.rows = 2100;
  all.fit_from(learned, 0.01);
  EXPECT_EQ(all.report().stages(), (std::vector<Index>{4000, 16000}));
  learned.rows = 1'000'000;
  all.fit_from(learned, 0.01);
  EXPECT_EQ(all.report().stages(), (std::vector<Index>{16000}));
  // In its own units: what it has learned itself is where it stands.
  const Matrix W = all.W();
  options.max_iter = 0;
  PathWalk at_once(data.input(), rows, options, true);
  at_once.fit_from(all.learned(), 0.01);
  EXPECT_LE((at_once.W() - W).norm(), 1e-12 * W.norm());
  // The constant model teaches nothing.
  learned.W.setZero();
  at_once.fit_from(learned, 0.01);
  EXPECT_GT(at_once.W().norm(), 0);
}

}  // namespace
}  // namespace bkernn
