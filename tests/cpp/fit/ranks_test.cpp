// Fits of numbers by their ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "fit/fit_kinds.hpp"
#include "fit/ranked_input.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

// y depends on the logarithms of columns with long tails.
struct LongTails {
  explicit LongTails(Index n = 300, double spread = 2) {
    Rng rng(1);
    const Matrix Z = rng.normal_matrix(n + 500, 3);
    const Matrix all = (spread * Z.array()).exp();
    const Vector f = (2 * Z.col(0)).array().sin() + Z.col(1).array();
    X = all.topRows(n);
    X_new = all.bottomRows(500);
    Y = f.head(n) + 0.1 * rng.normal_matrix(n, 1);
    Y_new = f.tail(500);
  }
  FitResult fit(FitOptions options = {}) const {
    const Encoder encoder;
    return bkernn::fit({.X = X, .Y = Y, .encoder = &encoder}, options);
  }
  double r2(const Model& model) const {
    const Matrix F = model.predict(MixedRows{X_new, {}});
    return 1 - (F - Y_new).squaredNorm() / (Y_new.array() - Y_new.mean()).matrix().squaredNorm();
  }
  Matrix X, X_new, Y, Y_new;
};

FitOptions by_ranks(const std::string& ranks = "auto") {
  FitOptions options;
  options.n_particles = 20;
  options.max_iter = 40;
  options.ranks = ranks;
  return options;
}

TEST(Ranks, AreChosenWhereTheyAreClearlyBetter) {
  const LongTails data;
  const FitResult found = data.fit(), plain = data.fit([] {
    FitOptions options;
    options.ranks = "none";
    return options;
  }());
  EXPECT_TRUE(found.model.encoder.bends());
  EXPECT_EQ(found.report.race.ranks, found.model.encoder.ranks());
  EXPECT_TRUE(plain.model.encoder.empty());
  EXPECT_GT(data.r2(found.model), 0.9);
  EXPECT_GT(data.r2(found.model), data.r2(plain.model) + 0.1);
}

TEST(Ranks, AreNotChosenWhereDirectionsAreOfTheValues) {
  const Simulated data =
      simulate({.kind = "multi_index", .n = 500, .n_test = 2, .d = 8, .noise = 0.1, .seed = 2});
  const Encoder encoder;
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y, .encoder = &encoder});
  EXPECT_TRUE(result.model.encoder.empty());
  EXPECT_EQ(result.report.race.ranks, "none");
}

TEST(Ranks, NeedSomebodyToEncodeNewRows) {
  const LongTails data;
  EXPECT_TRUE(fit(data.X, data.Y, by_ranks()).model.encoder.empty());
  EXPECT_THROW(fit(data.X, data.Y, by_ranks("normal")), InvalidArgument);
}

TEST(Ranks, StayOutWhereNothingElseIsOpen) {
  const LongTails data;
  FitOptions options = by_ranks();
  options.penalty = "feature";
  options.regularization = 0.01;
  EXPECT_TRUE(data.fit(options).model.encoder.empty());
  options.ranks = "uniform";
  const FitResult asked = data.fit(options);
  EXPECT_EQ(asked.model.encoder.ranks(), "uniform");
  EXPECT_EQ(asked.regularization, 0.01);
}

TEST(Ranks, GiveTheFitOfBentRows) {
  const LongTails data;
  FitOptions options = by_ranks("normal");
  options.penalty = "feature";
  options.regularization = 0.01;
  const FitResult asked = data.fit(options);
  options.ranks = "none";
  const Matrix bent = asked.model.encoder.bend(data.X);
  const FitResult by_hand = fit(bent, data.Y, options);
  EXPECT_TRUE(asked.W == by_hand.W);
  EXPECT_TRUE(asked.model.predict(MixedRows{data.X_new, {}}) ==
              by_hand.model.predict(asked.model.encoder.bend(data.X_new)));
}

// All losses, in another order of the rows, and with two rows in place of a weight of two.
TEST(Ranks, KnowNoOrderOfRowsAndCountWeights) {
  for (const std::string& loss : loss_names()) {
    Rng rng(3);
    const Index n = 80;
    const Matrix Z = rng.normal_matrix(n, 2);
    const Matrix X = (1.5 * Z.array()).exp();
    const Matrix Y = naive::targets(loss, Z, naive::outputs(loss), rng);
    Vector weights = Vector::Ones(n);
    weights.head(20).setConstant(2);
    std::vector<Index> rows(n);
    std::iota(rows.begin(), rows.end(), Index{0});
    for (Index i = 0; i < 20; ++i) rows.push_back(i);
    rng.shuffle(rows);
    FitOptions options = by_ranks();
    options.loss = loss;
    options.max_iter = 5;
    const Encoder encoder;
    const FitResult weighted =
        fit({.X = X, .Y = Y, .weights = &weights, .encoder = &encoder}, options);
    const Matrix X_rows = X(rows, Eigen::all), Y_rows = Y(rows, Eigen::all);
    const FitResult written = fit({.X = X_rows, .Y = Y_rows, .encoder = &encoder}, options);
    EXPECT_EQ(weighted.report.race.ranks, written.report.race.ranks) << loss;
    EXPECT_EQ(weighted.model.encoder, written.model.encoder) << loss;
    EXPECT_TRUE(weighted.model.predict(MixedRows{X, {}}) == written.model.predict(MixedRows{X, {}}))
        << loss;
  }
}

TEST(Ranks, AreTheSameOnAnyNumberOfThreads) {
  const LongTails data(200);
  FitOptions options = by_ranks();
  options.n_models = 3;
  options.n_threads = 1;
  const FitResult one = data.fit(options);
  options.n_threads = 3;
  const FitResult three = data.fit(options);
  EXPECT_EQ(one.model.encoder, three.model.encoder);
  EXPECT_TRUE(one.W == three.W);
}

// Half of y follows the values, half the logarithms.
TEST(Ranks, OfSeveralModelsAreMixed) {
  LongTails data(300, 1);
  data.Y += data.X.col(2);
  data.Y_new += data.X_new.col(2);
  FitOptions options = by_ranks();
  options.n_models = 4;
  const FitResult result = data.fit(options);
  const std::vector<Curve>& curves = result.model.encoder.columns.front().curves;
  ASSERT_GT(curves.size(), 1U);
  EXPECT_EQ(result.report.models, 4);
  EXPECT_EQ(result.W.rows(), 3 * static_cast<Index>(curves.size()));
  EXPECT_EQ(result.model.importances().size(), 3);
  EXPECT_GT(data.r2(result.model), 0.8);
}

TEST(Ranks, OfSeveralModelsGetAModelEachAndTheRestByShare) {
  const auto kinds = [](std::vector<double> shares) {
    std::vector<RacedRanks> found;
    for (const double share : shares) found.push_back({"none", "feature", 1, share, {}});
    return found;
  };
  EXPECT_EQ(models_of_kinds(kinds({1}), 5), (std::vector<Index>{5}));
  EXPECT_EQ(models_of_kinds(kinds({0.9, 0.1}), 2), (std::vector<Index>{1, 1}));
  EXPECT_EQ(models_of_kinds(kinds({0.6, 0.3, 0.1}), 6), (std::vector<Index>{3, 2, 1}));
}

TEST(Ranks, AreKeptInModelFiles) {
  const LongTails data;
  for (const Index n_models : {Index{1}, Index{3}}) {
    FitOptions options = by_ranks(n_models == 1 ? "normal" : "auto");
    options.n_models = n_models;
    FitResult result = data.fit(options);
    const Matrix F = result.model.predict(MixedRows{data.X_new, {}});
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "ranks.json";
    SavedModel saved;
    saved.model = result.model;
    save_model(saved, path.string());
    const Model loaded = load_model(path.string()).model;
    EXPECT_EQ(loaded.encoder, result.model.encoder);
    const double spread = (F.array() - F.mean()).matrix().norm() / std::sqrt(500.0);
    EXPECT_LT((loaded.predict(MixedRows{data.X_new, {}}) - F).cwiseAbs().maxCoeff(), 1e-2 * spread);
  }
}

TEST(Ranks, HaveIntervals) {
  const LongTails data;
  FitOptions options = by_ranks();
  options.intervals = "cross";
  const FitResult result = data.fit(options);
  ASSERT_TRUE(result.model.encoder.bends());
  const Intervals found = result.model.predict_interval(result.model.encode({data.X_new, {}}), 0.9);
  const double covered =
      ((found.lower.array() <= data.Y_new.array()) && (data.Y_new.array() <= found.upper.array()))
          .cast<double>()
          .mean();
  EXPECT_GT(covered, 0.8);
}

TEST(Ranks, AreChosenOnceForAllFolds) {
  const LongTails data;
  const Encoder encoder;
  const FitOptions options = by_ranks();
  CrossValidateOptions cross;
  cross.n_folds = 3;
  for (const bool ensemble : {false, true}) {
    cross.ensemble = ensemble;
    const CrossValidateResult result =
        cross_validate({.X = data.X, .Y = data.Y, .encoder = &encoder}, options, cross, nullptr);
    ASSERT_TRUE(result.fit.has_value());
    EXPECT_EQ(result.options.ranks, result.fit->model.encoder.ranks());
    EXPECT_NE(result.options.ranks, "none");
    EXPECT_GT(data.r2(result.fit->model), 0.9);
  }
}

TEST(Ranks, AreThoseOfTheWholeInAStabilityStudy) {
  const LongTails data(120);
  const Encoder encoder;
  StabilityOptions study;
  study.n_pairs = 2;
  study.n_folds = 2;
  study.n_permutations = 19;
  const StabilityResult result =
      stability({.X = data.X, .Y = data.Y, .encoder = &encoder}, by_ranks(), study, nullptr);
  EXPECT_TRUE(result.fit.model.encoder.bends());
  EXPECT_TRUE(result.curve.loss.allFinite());
}

TEST(Ranks, ThatAreGivenStay) {
  const LongTails data;
  const Encoder curves = data.fit(by_ranks("uniform")).model.encoder;
  const RankedInput ranked({.X = data.X, .Y = data.Y}, curves);
  FitInput input = ranked.input();
  const FitResult again = fit(input, by_ranks());
  EXPECT_EQ(again.model.encoder, curves);
}

}  // namespace
}  // namespace bkernn
