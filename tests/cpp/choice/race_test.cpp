// λ and the penalty, chosen by held-out rows.
#include "choice/race.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "naive.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

FitOptions small() {
  FitOptions options;
  options.n_particles = 10;
  options.max_iter = 30;
  return options;
}

Simulated three_directions(Index n) {
  return simulate({.kind = "multi_index", .n = n, .n_test = 1000, .d = 8, .noise = 0.1, .seed = 2});
}

struct RaceData {
  explicit RaceData(const std::string& loss, Index n = 120) {
    Rng rng(3);
    X = rng.normal_matrix(n, 3);
    Y = naive::targets(loss, X, naive::outputs(loss), rng);
  }
  Matrix X, Y;
};

TEST(Race, FindsTheDirectionsOfDataThatHaveThree) {
  const Simulated data =
      simulate({.kind = "multi_index", .n = 1000, .n_test = 2, .d = 20, .noise = 0.1, .seed = 2});
  const FitResult result = fit(data.train.X, data.train.Y);
  EXPECT_EQ(result.model.dimension(), 3);
  EXPECT_GT(feature_learning_score(result.model.W, false, data.P).value_or(0), 0.98);
  EXPECT_FALSE(result.report.race.constant);
  EXPECT_EQ(result.report.race.rows, 1000);
}

// The held-out loss of noiseless rows falls with λ for ever, by less and less.
TEST(Race, LeavesASmallerLambdaThatGainsLittle) {
  Rng rng(5);
  const Matrix X = rng.uniform_matrix(300, 2);
  const Matrix Y = (3 * X.col(0)).array().sin();
  FitOptions options = small();
  options.penalty = "feature";
  const Race race = fit(X, Y, options).report.race;
  const double worth = 1e-4 * race.constant_loss;
  const RacePoint &best = race.points[race.best], &last = race.points.back();
  EXPECT_LT(best.loss, 10 * worth);
  EXPECT_LT(last.regularization, best.regularization);
  EXPECT_GT(last.loss, best.loss - worth);
  EXPECT_LE(race.points.size(), 7u);
}

// Six sectors of a plane, which only a small λ tells apart.
TEST(Race, DropsNoSmallerLambdaOfClasses) {
  Rng rng(9);
  const auto sectors = [](const Matrix& X) {
    Matrix Y = Matrix::Zero(X.rows(), 6);
    for (Index i = 0; i < X.rows(); ++i) {
      const double turn = std::atan2(X(i, 1), X(i, 0)) / (2 * std::acos(-1.0)) + 0.5;
      Y(i, std::min<Index>(static_cast<Index>(6 * turn), 5)) = 1;
    }
    return Y;
  };
  const Matrix X = rng.normal_matrix(300, 3), X_new = rng.normal_matrix(500, 3);
  FitOptions options = small();
  options.loss = "multinomial";
  const FitResult found = fit(X, sectors(X), options);
  const Race& race = found.report.race;
  double best = std::numeric_limits<double>::infinity(), lambda = best;
  for (const RacePoint& point : race.points) {
    EXPECT_FALSE(point.dropped && point.regularization < lambda) << point.regularization;
    if (!(point.loss < best)) continue;
    best = point.loss;
    lambda = point.regularization;
  }
  options.regularization_rule = "rule";
  options.penalty = "feature";
  const FitResult by_rule = fit(X, sectors(X), options);
  const std::unique_ptr<Loss> loss = make_loss("multinomial");
  const auto loss_of = [&](const FitResult& one) {
    return loss->value(sectors(X_new), one.model.predict(X_new), Vector::Ones(500)) / 500;
  };
  EXPECT_LT(found.regularization, 0.2 * by_rule.regularization);
  EXPECT_LT(loss_of(found), 0.8 * loss_of(by_rule));
}

TEST(Race, AnswersNoiseByAConstant) {
  double sum = 0;
  const int draws = 8;
  for (int draw = 0; draw < draws; ++draw) {
    Rng rng(draw);
    const Matrix X = rng.normal_matrix(400, 20), Y = rng.normal_matrix(400, 1);
    const FitResult result = fit(X.topRows(200), Y.topRows(200));
    EXPECT_TRUE(!result.report.race.constant || result.report.termination == Termination::trivial);
    sum += r2_score(Y.bottomRows(200), result.model.predict(X.bottomRows(200)));
  }
  EXPECT_GT(sum / draws, -0.02);
}

TEST(Race, LeavesWhatIsFixed) {
  const Simulated data = three_directions(200);
  FitOptions options = small();
  const auto penalties = [&] {
    std::set<std::string> seen;
    for (const RacePoint& one : fit(data.train.X, data.train.Y, options).report.race.points)
      seen.insert(one.penalty);
    return seen;
  };
  EXPECT_EQ(penalties(), (std::set<std::string>{"concave_feature", "concave_variable", "feature"}));
  options.penalty = "variable";
  EXPECT_EQ(penalties(), std::set<std::string>{"variable"});
  options.penalty = "auto";
  options.regularization = 0.02;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  EXPECT_EQ(result.report.race.points.size(), 3u);
  EXPECT_NEAR(result.regularization, 0.02, 1e-15);
  options.penalty = "feature";
  EXPECT_TRUE(fit(data.train.X, data.train.Y, options).report.race.empty());
}

TEST(Race, TheBestPointIsWhatIsFitted) {
  const Simulated data = three_directions(300);
  const FitResult chosen = fit(data.train.X, data.train.Y, small());
  const Race& race = chosen.report.race;
  const RacePoint& best = race.points[race.best];
  for (const RacePoint& one : race.points) {
    EXPECT_TRUE(one.dropped || one.loss >= best.loss);
  }
  EXPECT_LT(best.loss, race.constant_loss);
  EXPECT_EQ(best.error, 0);
  EXPECT_EQ(chosen.model.penalty, best.penalty);
  FitOptions options = small();
  options.penalty = best.penalty;
  options.regularization = best.regularization;
  const FitResult fixed = fit(data.train.X, data.train.Y, options);
  EXPECT_LE((fixed.W - chosen.W).norm(), 1e-9 * chosen.W.norm());
}

class RaceOfLoss : public testing::TestWithParam<std::string> {};

TEST_P(RaceOfLoss, DoesNotDependOnTheOrderOfRows) {
  const RaceData data(GetParam());
  FitOptions options = small();
  options.loss = GetParam();
  options.max_iter = 5;
  const FitResult want = fit(data.X, data.Y, options);
  std::vector<Index> order(data.X.rows());
  std::iota(order.begin(), order.end(), Index{0});
  Rng(5).shuffle(order);
  const FitResult same = fit(data.X(order, Eigen::all), data.Y(order, Eigen::all), options);
  EXPECT_EQ(same.model.penalty, want.model.penalty);
  EXPECT_EQ(same.regularization, want.regularization);
  EXPECT_EQ(same.W, want.W);
}

// Factors that are no powers of two round differently, and that may decide between two that are as
// good.
TEST(Race, DoesNotDependOnUnits) {
  const SimulatedSet data = three_directions(300).train;
  FitOptions options = small();
  options.max_iter = 5;
  const FitResult want = fit(data.X, data.Y, options);
  const RowVector scale = (RowVector(8) << 4, 1, 0.125, 2, 64, 0.5, 1, 8).finished();
  const FitResult same = fit(data.X * scale.asDiagonal(), 4 * data.Y, options);
  EXPECT_EQ(same.model.penalty, want.model.penalty);
  EXPECT_NEAR(same.regularization, 4 * want.regularization, 1e-9 * want.regularization);
  const FitResult turned = fit(data.X.rowwise().reverse(), data.Y, options);
  EXPECT_NEAR(turned.report.race.constant_loss, want.report.race.constant_loss, 1e-12);
}

// The rows of W₀ follow the columns. Another order rounds differently, which many steps amplify.
TEST_P(RaceOfLoss, DoesNotDependOnTheOrderOfColumns) {
  const RaceData data(GetParam());
  FitOptions options = small();
  options.loss = GetParam();
  options.max_iter = 5;
  options.init = Rng(8).normal_matrix(3, 10);
  const FitResult want = fit(data.X, data.Y, options);
  const std::vector<Index> order{2, 0, 1};
  options.init = options.init(order, Eigen::all).eval();
  const Matrix X = data.X(Eigen::all, order);
  const FitResult same = fit(X, data.Y, options);
  EXPECT_EQ(same.model.penalty, want.model.penalty);
  EXPECT_EQ(same.report.race.points.size(), want.report.race.points.size());
  EXPECT_NEAR(same.regularization, want.regularization, 1e-9 * want.regularization);
  EXPECT_EQ(same.model.n_directions(), want.model.n_directions());
  // Quantiles of the residuals of held-out rows, after 25 steps, shift those predictions.
  const double near = GetParam() == "quantile" ? 0.03 : 1e-6;
  const Matrix wanted = want.model.predict(data.X);
  EXPECT_LE((same.model.predict(X) - wanted).norm(), near * wanted.norm());
}

TEST_P(RaceOfLoss, CountsWeightsAsRows) {
  const RaceData data(GetParam(), 60);
  FitOptions options = small();
  options.loss = GetParam();
  options.max_iter = 5;
  Vector counts(60);
  std::vector<Index> rows;
  for (Index i = 0; i < 60; ++i) {
    counts(i) = static_cast<double>(1 + i % 2);
    for (Index copy = 0; copy <= i % 2; ++copy) rows.push_back(i);
  }
  const FitResult weighted = fit({.X = data.X, .Y = data.Y, .weights = &counts}, options);
  const FitResult repeated = fit(data.X(rows, Eigen::all), data.Y(rows, Eigen::all), options);
  EXPECT_EQ(weighted.regularization, repeated.regularization);
  EXPECT_EQ(weighted.W, repeated.W);
}

TEST_P(RaceOfLoss, IsTheSameOnAnyNumberOfThreads) {
  const RaceData data(GetParam());
  FitOptions options = small();
  options.loss = GetParam();
  options.max_iter = 5;
  options.n_threads = 1;
  const FitResult one = fit(data.X, data.Y, options);
  options.n_threads = 4;
  const FitResult four = fit(data.X, data.Y, options);
  EXPECT_EQ(one.regularization, four.regularization);
  EXPECT_EQ(one.W, four.W);
}

TEST_P(RaceOfLoss, TakesFewRowsAndFewTargets) {
  for (const Index n : {3, 14, 15, 20, 40}) {
    const RaceData data(GetParam(), n);
    FitOptions options = small();
    options.loss = GetParam();
    const FitResult result = fit(data.X, data.Y, options);
    EXPECT_EQ(result.report.race.empty(), n < kFewestRaceRows);
    EXPECT_TRUE(result.model.predict(data.X).allFinite()) << n;
    const Matrix same = data.Y.row(0).replicate(n, 1);
    EXPECT_TRUE(fit(data.X, same, options).model.predict(data.X).allFinite()) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RaceOfLoss, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

TEST(Race, MayBeEndedAndTakesTheBestSoFar) {
  struct AfterTwo : Observer {
    bool on_iteration(const IterationRecord&, const FitState&) override { return true; }
    bool on_race(const RacePoint&) override { return ++points < 2; }
    int points = 0;
  } observer;
  const Simulated data = three_directions(200);
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y}, small(), &observer);
  EXPECT_EQ(observer.points, 2);
  EXPECT_EQ(result.report.race.points.size(), 2u);
}

TEST(Race, OnKnotsIsThatOfRowsInSeveralPlaces) {
  const RaceData data("square", 400);
  FitOptions options = small();
  options.knots = 12;
  const FitResult local = fit(data.X, data.Y, options);
  std::vector<RowShard> shards;
  for (const Index begin : {0, 150})
    shards.emplace_back(data.X.middleRows(begin, begin == 0 ? 150 : 250),
                        data.Y.middleRows(begin, begin == 0 ? 150 : 250),
                        Vector::Ones(begin == 0 ? 150 : 250), options,
                        static_cast<Index>(shards.size()));
  DistributedInput input;
  input.ask = [&](const std::string& question, const Message& argument) {
    std::vector<Message> answers;
    for (RowShard& shard : shards) answers.push_back(shard.answer(question, argument));
    return answers;
  };
  const FitResult found = fit_distributed(input, options);
  EXPECT_EQ(found.model.penalty, local.model.penalty);
  EXPECT_EQ(found.regularization, local.regularization);
  EXPECT_EQ(found.W, local.W);
}

TEST(RowOrder, DealsAndDrawsAlongIt) {
  Rng rng(1);
  const StandardRows rows{rng.normal_matrix(100, 3), rng.normal_matrix(100, 1), Vector::Ones(100)};
  const std::vector<Index> order = row_order(rows);
  for (std::size_t i = 1; i < order.size(); ++i)
    EXPECT_LE(rows.Y(order[i - 1], 0), rows.Y(order[i], 0));
  const std::vector<int> part = deal_along(order, 3);
  for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(std::count(part.begin(), part.end(), k) - 33), 1);
  const std::vector<Index> drawn = draw_along(order, 20, 4);
  EXPECT_EQ(std::set<Index>(drawn.begin(), drawn.end()).size(), 20u);
  for (Index b = 0; b < 20; ++b) {
    const auto place = std::find(order.begin(), order.end(), drawn[b]) - order.begin();
    EXPECT_EQ(place / 5, b);
  }
  EXPECT_NEAR(select(rows, drawn).s.sum(), 20, 1e-12);
}

// Rows of equal y are told apart by their x.
TEST(RowOrder, IsThatOfTheRowsNotOfTheirPlaces) {
  Rng rng(2);
  StandardRows rows{rng.normal_matrix(60, 4), Matrix(60, 1), Vector::Ones(60)};
  for (Index i = 0; i < 60; ++i) rows.Y(i, 0) = static_cast<double>(i % 2);
  std::vector<Index> shuffled(60);
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  rng.shuffle(shuffled);
  const std::vector<Index> order = row_order(rows), other = row_order(select(rows, shuffled));
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(shuffled[other[i]], order[i]);
}

}  // namespace
}  // namespace bkernn
