#include "bkernn/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "algebra.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

void expect_refused(const std::string& part_of_message, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << part_of_message;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }
}

TEST(R2Score, KnownValues) {
  const Vector y = vector({3, -0.5, 2, 7}), f = vector({2.5, 0, 2, 8}), w = vector({1, 2, 0, 3});
  EXPECT_NEAR(r2_score(y, f), 0.9486081370449679, 1e-15);
  EXPECT_NEAR(r2_score(y, f, &w), 0.9451219512195121, 1e-15);
  EXPECT_EQ(r2_score(y, y), 1);
  EXPECT_NEAR(r2_score(y, Vector::Constant(4, y.mean())), 0, 1e-15);
}

TEST(R2Score, ConstantTarget) {
  const Vector y = Vector::Constant(3, 0.1);
  EXPECT_EQ(r2_score(y, y), 1);
  EXPECT_EQ(r2_score(y, vector({0.1, 0.1, 0.2})), 0);
  const Vector almost = vector({5, 0.1, 0.1}), without_first = vector({0, 1, 1});
  EXPECT_EQ(r2_score(almost, y, &without_first), 1);
  EXPECT_LT(r2_score(almost, y), 0);
}

TEST(R2Score, AveragesOutputs) {
  Matrix Y(4, 2), F(4, 2);
  Y << 3, 1, -0.5, 2, 2, 3, 7, 4;
  F << 2.5, 1, 0, 2, 2, 3, 8, 4;
  EXPECT_NEAR(r2_score(Y, F), (0.9486081370449679 + 1) / 2, 1e-15);
  EXPECT_NEAR(mean_squared_error(Y, F), 0.375 / 2, 1e-15);
}

TEST(MeanSquaredError, KnownValues) {
  const Vector y = vector({3, -0.5, 2, 7}), f = vector({2.5, 0, 2, 8}), w = vector({1, 2, 0, 3});
  EXPECT_NEAR(mean_squared_error(y, f), 0.375, 1e-15);
  EXPECT_NEAR(mean_squared_error(y, f, &w), 0.625, 1e-15);
}

TEST(Metrics, WeightTwoIsARepeatedRow) {
  const Vector y = vector({1, 4, 2}), f = vector({2, 3, 2.5}), w = vector({2, 1, 0});
  const Vector y3 = vector({1, 1, 4}), f3 = vector({2, 2, 3});
  EXPECT_NEAR(r2_score(y, f, &w), r2_score(y3, f3), 1e-15);
  EXPECT_NEAR(pinball_loss(y, f, 0.2, &w), pinball_loss(y3, f3, 0.2), 1e-15);
  EXPECT_NEAR(quantile_coverage(y, f, &w), quantile_coverage(y3, f3), 1e-15);
}

TEST(PinballLoss, KnownValues) {
  const Vector y = vector({3, -0.5, 2, 7}), f = vector({2.5, 0, 2, 8});
  EXPECT_NEAR(pinball_loss(y, f, 0.9), 0.15, 1e-15);
  EXPECT_NEAR(pinball_loss(y, f, 0.5), 0.25, 1e-15);
}

TEST(PinballLoss, IsSmallestAtTheQuantile) {
  const Vector y = Vector::LinSpaced(101, 0, 1);
  const auto loss = [&](double c) { return pinball_loss(y, Vector::Constant(101, c), 0.8); };
  EXPECT_LT(loss(0.8), loss(0.75));
  EXPECT_LT(loss(0.8), loss(0.85));
}

TEST(Coverage, CountsTheShareWithin) {
  const Vector y = vector({1, 2, 3, 4});
  EXPECT_EQ(quantile_coverage(y, Vector::Constant(4, 2)), 0.5);
  EXPECT_EQ(interval_coverage(y, Vector::Constant(4, 2), Vector::Constant(4, 3.5)), 0.5);
  EXPECT_EQ(interval_coverage(y, Vector::Constant(4, 3.5), Vector::Constant(4, 2)), 0);
}

TEST(Classification, KnownValues) {
  Matrix p(3, 3), Y(3, 3);
  p << 0.7, 0.2, 0.1, 0.3, 0.4, 0.3, 0.1, 0.1, 0.8;
  Y << 1, 0, 0, 0, 0, 1, 0, 0, 1;
  EXPECT_NEAR(log_loss(p, Y), -(std::log(0.7) + std::log(0.3) + std::log(0.8)) / 3, 1e-15);
  EXPECT_NEAR(accuracy(p, Y), 2.0 / 3, 1e-15);
  // Bins of width 0.5: {0.4: wrong} and {0.7, 0.8: right}.
  EXPECT_NEAR(expected_calibration_error(p, Y, 2), 0.4 / 3 + 0.5 / 3, 1e-15);
  EXPECT_NEAR(expected_calibration_error(p, Y, 1), std::abs(2.0 / 3 - 1.9 / 3), 1e-15);
  const Vector w = vector({1, 3, 0});
  EXPECT_NEAR(log_loss(p, Y, &w), -(std::log(0.7) + 3 * std::log(0.3)) / 4, 1e-15);
  EXPECT_NEAR(accuracy(p, Y, &w), 0.25, 1e-15);
}

TEST(Classification, OneColumnIsTheProbabilityOfClassOne) {
  const Vector p = vector({0.9, 0.2, 0.6, 0.4}), y = vector({1, 0, 0, 1});
  Matrix two(4, 2), hot(4, 2);
  two << 0.1, 0.9, 0.8, 0.2, 0.4, 0.6, 0.6, 0.4;
  hot << 0, 1, 1, 0, 1, 0, 0, 1;
  EXPECT_NEAR(log_loss(p, y), log_loss(two, hot), 1e-15);
  EXPECT_EQ(accuracy(p, y), 0.5);
  EXPECT_EQ(accuracy(two, hot), 0.5);
  EXPECT_NEAR(expected_calibration_error(p, y), expected_calibration_error(two, hot), 1e-15);
}

TEST(Classification, CertainErrorIsFiniteAndCertainTruthFree) {
  EXPECT_NEAR(log_loss(vector({0}), vector({1})), 52 * std::log(2.0), 1e-12);
  EXPECT_EQ(log_loss(vector({1}), vector({1})), 0);
  EXPECT_EQ(expected_calibration_error(vector({1, 0}), vector({1, 0})), 0);
}

// The definition of the paper, to the letter.
double score_by_definition(const Matrix& P_hat, const Matrix& P) {
  const auto projection = [](const Matrix& A) -> Matrix {
    return A * naive::solve(A.transpose() * A, A.transpose());
  };
  const auto d = static_cast<double>(P.rows()), k = static_cast<double>(P.cols());
  if (k == d) return 1;
  const double distance2 = (projection(P) - projection(P_hat)).squaredNorm();
  return k <= d / 2 ? 1 - distance2 / (2 * k) : 1 - distance2 / (2 * d - 2 * k);
}

TEST(FeatureLearningScore, IsTheDefinitionWhateverTheBasis) {
  Rng rng(1);
  for (const Index k : {1, 2, 3, 4, 5, 6}) {
    const Matrix P = rng.normal_matrix(6, k), P_hat = rng.normal_matrix(6, k);
    const double score = feature_learning_score(P_hat, P);
    EXPECT_NEAR(score, score_by_definition(P_hat, P), 1e-12);
    EXPECT_NEAR(score, feature_learning_score(P, P_hat), 1e-12);
    EXPECT_NEAR(score, feature_learning_score(P_hat * rng.normal_matrix(k, k), 3 * P), 1e-10);
    EXPECT_NEAR(feature_learning_score(P * rng.normal_matrix(k, k), P), 1, 1e-10);
  }
}

TEST(FeatureLearningScore, IsZeroForSpansAsFarApartAsPossible) {
  const Matrix I = Matrix::Identity(5, 5);
  EXPECT_NEAR(feature_learning_score(I.leftCols(2), I.rightCols(2)), 0, 1e-15);
  EXPECT_NEAR(feature_learning_score(I.leftCols(3), I.rightCols(3)), 0, 1e-15);
  EXPECT_NEAR(feature_learning_score(I.leftCols(4), I.rightCols(4)), 0, 1e-15);
  EXPECT_EQ(feature_learning_score(I, I.rowwise().reverse()), 1);
}

TEST(FeatureLearningScore, ResolvesSmallErrors) {
  Matrix P = Matrix::Identity(4, 1), P_hat = P;
  P_hat(1, 0) = 1e-5;
  EXPECT_NEAR(1 - feature_learning_score(P_hat, P), 1e-10, 1e-15);
}

TEST(FeatureLearningScoreOfParticles, ReadsTheLeadingDirections) {
  Rng rng(4);
  const Matrix U = random_orthogonal(6, rng), V = random_orthogonal(8, rng);
  const Vector S = vector({5, 3, 2, 1, 0.5, 0.1});
  const Matrix W = U * S.asDiagonal() * V.topRows(6);
  for (const Index k : {1, 2, 4, 6}) {
    EXPECT_NEAR(feature_learning_score(W, false, U.leftCols(k)).value(), 1, 1e-12);
    const Matrix P = rng.normal_matrix(6, k);
    EXPECT_NEAR(feature_learning_score(W, false, P).value(),
                feature_learning_score(U.leftCols(k), P), 1e-12);
  }
  const Matrix narrow = W * V.transpose().leftCols(2);
  EXPECT_NEAR(feature_learning_score(narrow, false, U.leftCols(2)).value(), 1, 1e-12);
}

TEST(FeatureLearningScoreOfParticles, ReadsTheLargestRows) {
  Matrix W(4, 3);
  W << 1, 0, 0,  //
      0, 3, 0,   //
      1, 1, 1,   //
      0, 0, 0.5;
  const Matrix I = Matrix::Identity(4, 4);
  Matrix P(4, 2);
  P << I.col(1), I.col(2);
  EXPECT_EQ(feature_learning_score(W, true, P), 1);
  EXPECT_EQ(feature_learning_score(W, true, I.leftCols(2)), 0.5);
  EXPECT_LT(feature_learning_score(W, false, P).value(), 1);
}

TEST(FeatureLearningScoreOfParticles, IsEmptyWhereUndefined) {
  const Matrix I = Matrix::Identity(5, 5);
  const Matrix rank2 = I.leftCols(2) * vector({2, 1}).asDiagonal() * Matrix::Ones(2, 4).cwiseSqrt();
  Matrix W = Matrix::Zero(5, 4);
  W(0, 0) = 2;
  W(1, 1) = 1;
  EXPECT_TRUE(feature_learning_score(W, false, I.leftCols(2)).has_value());
  EXPECT_TRUE(feature_learning_score(W, true, I.leftCols(2)).has_value());
  EXPECT_FALSE(feature_learning_score(W, false, I.leftCols(3)).has_value());
  EXPECT_FALSE(feature_learning_score(W, true, I.leftCols(3)).has_value());
  EXPECT_FALSE(feature_learning_score(rank2, false, I.leftCols(2)).has_value());
  EXPECT_FALSE(feature_learning_score(I.leftCols(2), false, I.leftCols(3)).has_value());
  EXPECT_FALSE(feature_learning_score(Matrix::Zero(5, 3), false, I.leftCols(1)).has_value());
  EXPECT_FALSE(feature_learning_score(Matrix(5, 0), true, I.leftCols(1)).has_value());
}

TEST(FeatureLearningScoreOfParticles, TiesLeaveDirectionsOpenButNotVariables) {
  const Matrix I = Matrix::Identity(4, 4);
  EXPECT_FALSE(feature_learning_score(I, false, I.leftCols(2)).has_value());
  EXPECT_EQ(feature_learning_score(I, true, I.leftCols(2)), 1);
  EXPECT_EQ(feature_learning_score(I, true, I.rightCols(2)), 0);
  EXPECT_EQ(feature_learning_score(I, false, I), 1);
}

TEST(EstimatedDimension, CountsWhatExceedsAnEqualShare) {
  EXPECT_EQ(estimated_dimension(vector({5, 4, 0.5, 0.5})), 2);
  EXPECT_NEAR(dimension_score(vector({5, 4, 0.5, 0.5})), 0.9, 1e-15);
  EXPECT_EQ(estimated_dimension(vector({0, 0, 1})), 1);
  EXPECT_EQ(dimension_score(vector({0, 0, 1})), 1);
  for (const double one : {0.1, 1.0, 1.0 / 3}) {
    EXPECT_EQ(estimated_dimension(Vector::Constant(7, one)), 0);
    EXPECT_EQ(dimension_score(Vector::Constant(7, one)), 0);
  }
  EXPECT_EQ(estimated_dimension(Vector::Zero(3)), 0);
  EXPECT_EQ(dimension_score(Vector::Zero(3)), 0);
}

TEST(Metrics, RefuseBadInputByName) {
  const Vector y = vector({1, 2}), three = vector({1, 2, 3}), nan = vector({1, NAN});
  const Vector negative = vector({1, -1}), zero = vector({0, 0});
  expect_refused("F", [&] { r2_score(y, three); });
  expect_refused("Y", [&] { r2_score(nan, y); });
  expect_refused("F", [&] { mean_squared_error(y, nan); });
  expect_refused("Y", [&] { mean_squared_error(Vector(0), Vector(0)); });
  expect_refused("weights", [&] { r2_score(y, y, &three); });
  expect_refused("weights", [&] { r2_score(y, y, &negative); });
  expect_refused("weights", [&] { r2_score(y, y, &zero); });
  expect_refused("weights[1] = nan", [&] { r2_score(y, y, &nan); });
  const Vector huge = vector({1e200, -1e200});
  expect_refused("Y[0, 0] = 1e+200", [&] { r2_score(huge, y); });
  expect_refused("weights[0] = 1e+200", [&] { r2_score(y, y, &huge); });
  expect_refused("tau", [&] { pinball_loss(y, y, 1); });
  expect_refused("upper", [&] { interval_coverage(y, y, three); });
  expect_refused("probabilities", [&] { log_loss(vector({0.5, 1.5}), vector({0, 1})); });
  expect_refused("probabilities",
                 [&] { log_loss(Matrix::Constant(1, 2, 0.4), Matrix::Identity(1, 2)); });
  expect_refused("Y", [&] { accuracy(vector({0.5, 0.5}), vector({0, 0.5})); });
  expect_refused("Y", [&] { accuracy(Matrix::Constant(1, 2, 0.5), Matrix::Ones(1, 2)); });
  expect_refused("bins", [&] { expected_calibration_error(y, y, 0); });
  expect_refused("importances", [&] { estimated_dimension(negative); });
  const Matrix I = Matrix::Identity(4, 4);
  expect_refused("P_hat", [&] { feature_learning_score(I.leftCols(1), I.leftCols(2)); });
  expect_refused("P_hat", [&] { feature_learning_score(Matrix::Ones(4, 2), I.leftCols(2)); });
  expect_refused("P = ", [&] { feature_learning_score(I.leftCols(2), Matrix::Ones(4, 2)); });
  expect_refused("P = ", [&] { feature_learning_score(I, false, Matrix::Ones(4, 2)); });
  expect_refused("P = ", [&] { feature_learning_score(Matrix::Ones(2, 3), Matrix::Ones(2, 3)); });
  expect_refused("W", [&] { feature_learning_score(Matrix::Ones(3, 3), false, I.leftCols(1)); });
}

}  // namespace
}  // namespace bkernn
