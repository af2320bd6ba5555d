// What the losses are for: quantiles that cover their level, probabilities that can be trusted,
// directions found from classes and counts, several outputs at the price of little more than one.
#include <gtest/gtest.h>

#include <cmath>

#include "bkernn/bkernn.hpp"
#include "by_rule.hpp"

namespace bkernn {
namespace {

double score_of(const FitResult& result, const Matrix& P) {
  const auto score = feature_learning_score(result.model.weights_in_original_units(), false, P);
  return score.value_or(0.0);
}

Matrix one_hot(const Matrix& y) {
  Matrix both(y.rows(), 2);
  both << (1 - y.array()).matrix(), y;
  return both;
}

TEST(Losses, QuantilesCoverTheirLevel) {
  const Simulated data = simulate(
      {.kind = "multi_index", .n = 10000, .n_test = 10000, .d = 5, .noise = 0.5, .seed = 2});
  for (const double level : {0.1, 0.5, 0.9}) {
    FitOptions options = by_rule();
    options.loss = "quantile";
    options.loss_parameters.quantile = level;
    options.n_particles = 12;
    options.max_iter = 15;
    const FitResult result = fit(data.train.X, data.train.Y, options);
    const double train = quantile_coverage(data.train.Y, result.model.predict(data.train.X));
    const double test = quantile_coverage(data.test.Y, result.model.predict(data.test.X));
    std::printf("quantile %.1f: coverage %.4f on the fitted rows, %.4f on new ones\n", level, train,
                test);
    EXPECT_NEAR(train, level, 0.02);
    EXPECT_NEAR(test, level, 0.02);
  }
}

TEST(Losses, LogisticFindsTheDirectionsAndIsCalibrated) {
  const Simulated data =
      simulate({.kind = "logistic", .n = 2000, .n_test = 10000, .d = 20, .seed = 1});
  FitOptions options = by_rule();
  options.loss = "logistic";
  options.penalty = "feature";
  const FitResult result = fit(data.train.X, data.train.Y, options);
  const Matrix p = result.model.predict_response(data.test.X);
  const double score = score_of(result, data.P);
  const double calibration = expected_calibration_error(p, one_hot(data.test.Y), 10);
  const double rms =
      std::sqrt((p.col(1) - data.test.signal).squaredNorm() / static_cast<double>(p.rows()));
  std::printf(
      "logistic: feature score %.4f, calibration error %.4f, rms distance to the true probability "
      "%.4f\n",
      score, calibration, rms);
  EXPECT_GE(score, 0.9);
  EXPECT_LE(calibration, 0.05);
  EXPECT_LE(rms, 0.15);
  EXPECT_LE((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
}

// With two classes the multinomial predictor is the logistic one split evenly: f = (−g/2, g/2), at
// twice the λ.
TEST(Losses, MultinomialWithTwoClassesAgreesWithLogistic) {
  const Simulated data = simulate({.kind = "logistic", .n = 300, .n_test = 200, .d = 4, .seed = 3});
  FitOptions options = by_rule();
  options.max_iter = 0;
  options.n_particles = 10;
  options.regularization = 0.01;
  options.loss = "logistic";
  const Matrix binary =
      fit(data.train.X, data.train.Y, options).model.predict_response(data.test.X);
  options.loss = "multinomial";
  options.regularization = 0.02;  // tr(αᵀKα) counts the two halves: λ/2·(¼ + ¼)·2
  const Matrix classes =
      fit(data.train.X, one_hot(data.train.Y), options).model.predict_response(data.test.X);
  EXPECT_LE((binary - classes).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Losses, PoissonFindsTheMean) {
  const Simulated data =
      simulate({.kind = "counts", .n = 2000, .n_test = 5000, .d = 10, .seed = 1});
  FitOptions options = by_rule();
  options.loss = "poisson";
  options.penalty = "feature";
  // The rule assumes little noise, of which counts have much.
  options.regularization =
      3 * automatic_regularization({.X = data.train.X, .Y = data.train.Y}, options);
  const FitResult result = fit(data.train.X, data.train.Y, options);
  const double r2 = r2_score(data.test.signal, result.model.predict_response(data.test.X));
  std::printf("poisson: feature score %.4f, R2 against the true mean %.4f\n",
              score_of(result, data.P), r2);
  EXPECT_GE(score_of(result, data.P), 0.9);
  EXPECT_GE(r2, 0.85);
}

TEST(Losses, HuberShrugsOffOutliers) {
  Simulated data =
      simulate({.kind = "multi_index", .n = 500, .n_test = 2000, .d = 6, .noise = 0.1, .seed = 5});
  for (Index i = 0; i < data.train.Y.rows(); i += 20) data.train.Y(i, 0) += i % 40 == 0 ? 50 : -50;
  FitOptions options = by_rule();
  options.max_iter = 60;
  const double square =
      r2_score(data.test.Y, fit(data.train.X, data.train.Y, options).model.predict(data.test.X));
  options.loss = "huber";
  const double huber =
      r2_score(data.test.Y, fit(data.train.X, data.train.Y, options).model.predict(data.test.X));
  std::printf("5%% outliers of 50: R2 %.4f with the square loss, %.4f with Huber's\n", square,
              huber);
  EXPECT_GE(huber, 0.8);
  EXPECT_LE(square, 0.5);
}

// Sorting is shared: the sorts of a fit with q outputs are those of one output.
TEST(Losses, SeveralOutputsAgreeWithSingleOnesWhenTheDirectionsAreFixed) {
  const Simulated data =
      simulate({.kind = "multi_index", .n = 300, .n_test = 100, .d = 5, .noise = 0.1, .seed = 2});
  Matrix Y(300, 3);
  for (Index k = 0; k < 3; ++k)
    Y.col(k) = data.train.Y + 0.3 * static_cast<double>(k) * data.train.X.col(k);
  FitOptions options = by_rule();
  options.standardize = false;
  options.regularization = 0.01;
  options.max_iter = 0;
  const Matrix together = fit(data.train.X, Y, options).model.predict(data.test.X);
  for (Index k = 0; k < 3; ++k) {
    const Matrix alone = fit(data.train.X, Y.col(k), options).model.predict(data.test.X);
    EXPECT_LE((together.col(k) - alone).cwiseAbs().maxCoeff(), 1e-8);
  }
}

}  // namespace
}  // namespace bkernn
