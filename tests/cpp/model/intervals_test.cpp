// Intervals from a calibration that is written down.
#include "bkernn/intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// f(x) = constant, for one variable.
Model constant_model(double value, const std::string& loss = "square") {
  Model model;
  model.loss = loss;
  model.center = RowVector::Zero(1);
  model.scale = RowVector::Ones(1);
  model.W.resize(1, 0);
  model.intercept = RowVector::Constant(1, value);
  return model;
}

Model calibrated(const std::vector<std::pair<double, Vector>>& folds) {
  Model model = constant_model(0);
  auto calibration = std::make_shared<Calibration>();
  calibration->method = "cross";
  for (const auto& [center, errors] : folds) {
    calibration->parts.push_back(
        {constant_model(center), {HeldOutErrors::sorted(errors, Vector::Ones(errors.size()))}});
  }
  model.calibration = calibration;
  model.validate();
  return model;
}

// The definition: the ⌈(1 − a)(n + 1)⌉-th smallest of all sums.
TEST(IntervalsTest, EndsAreOrderStatisticsOfAllFolds) {
  Rng rng(4);
  for (int draw = 0; draw < 50; ++draw) {
    std::vector<std::pair<double, Vector>> folds;
    std::vector<double> up, down;
    for (int k = 0; k < 1 + draw % 4; ++k) {
      const double center = rng.normal();
      Vector errors = rng.normal_matrix(3 + draw % 17, 1).cwiseAbs();
      if (draw % 3 == 0) errors = (4 * errors).array().round() / 4;  // ties
      for (const double e : errors) up.push_back(center + e), down.push_back(center - e);
      folds.emplace_back(center, errors);
    }
    std::sort(up.begin(), up.end());
    std::sort(down.begin(), down.end());
    const Model model = calibrated(folds);
    for (const double coverage : {0.3, 0.5, 0.66}) {
      const auto n = static_cast<double>(up.size());
      const auto rank = static_cast<std::size_t>(std::ceil(coverage * (n + 1) - 1e-6));
      const Intervals found = model.predict_interval(Matrix::Zero(2, 1), coverage);
      double low = down[down.size() - rank], high = up[rank - 1];
      if (low > high) low = high = (low + high) / 2;  // folds apart, and little coverage asked
      EXPECT_DOUBLE_EQ(found.upper(1, 0), high);
      EXPECT_DOUBLE_EQ(found.lower(0, 0), low);
    }
  }
}

TEST(IntervalsTest, AWeightOfTwoIsTwoRows) {
  Model once = constant_model(0);
  auto calibration = std::make_shared<Calibration>();
  calibration->method = "cross";
  const Vector errors{{0.5, 2, 1}}, weights{{1, 1, 2}};
  calibration->parts.push_back({constant_model(1), {HeldOutErrors::sorted(errors, weights)}});
  once.calibration = calibration;
  const Model twice = calibrated({{1, Vector{{1, 0.5, 2, 1}}}});
  for (const double coverage : {0.1, 0.3, 0.5, 0.7, 0.8}) {
    const Matrix x = Matrix::Zero(1, 1);
    EXPECT_EQ(once.predict_interval(x, coverage).upper(0, 0),
              twice.predict_interval(x, coverage).upper(0, 0));
  }
}

TEST(IntervalsTest, SetsHoldTheClassesThatFewRowsSpeakAgainst) {
  Model model = constant_model(0, "logistic");
  auto calibration = std::make_shared<Calibration>();
  calibration->method = "cross";
  // p(second class) = 0.731: errors are 1 − p of the class that came.
  calibration->parts.push_back(
      {constant_model(1, "logistic"),
       {HeldOutErrors::sorted(Vector{{0.1, 0.2, 0.3, 0.5, 0.9}}, Vector::Ones(5))}});
  model.calibration = calibration;
  model.validate();
  const Matrix x = Matrix::Zero(1, 1);
  EXPECT_EQ(model.predict_set(x, 0.5), (Matrix{{0, 1}}));   // rank 3: 2 rows below 0.269, 4 below
  EXPECT_EQ(model.predict_set(x, 0.75), (Matrix{{1, 1}}));  // rank 4.5
  EXPECT_EQ(model.predict_set(x, 0.2), (Matrix{{0, 0}}));   // rank 1.2
  EXPECT_THROW(model.predict_interval(x, 0.5), InvalidArgument);
}

TEST(IntervalsTest, BadQuestionsAreRefused) {
  const Model none = constant_model(0), some = calibrated({{0, Vector{{1, 2, 3}}}});
  const Matrix x = Matrix::Zero(1, 1);
  for (const double coverage : {0.0, 1.0, -0.1, 2.0, std::nan("")})
    EXPECT_THROW(some.predict_interval(x, coverage), InvalidArgument);
  EXPECT_THROW(some.predict_interval(x, 0.9), InvalidArgument);  // needs 9 rows
  EXPECT_THROW(none.predict_interval(x, 0.5), InvalidArgument);
  EXPECT_THROW(some.predict_set(x, 0.5), InvalidArgument);
  EXPECT_THROW(some.predict_interval(Matrix::Zero(1, 2), 0.5), InvalidArgument);
}

TEST(IntervalsTest, ACalibrationThatDoesNotSuitIsRefused) {
  const auto with = [](const Calibration& calibration) {
    Model model = constant_model(0);
    model.calibration = std::make_shared<Calibration>(calibration);
    model.validate();
  };
  const HeldOutErrors good{Vector{{1, 2}}, Vector{{1, 2}}};
  EXPECT_NO_THROW(with({"cross", {{constant_model(0), {good}}}}));
  EXPECT_NO_THROW(with({"fast", {{std::nullopt, {good}}}}));
  EXPECT_THROW(with({"slow", {{constant_model(0), {good}}}}), InvalidArgument);
  EXPECT_THROW(with({"cross", {}}), InvalidArgument);
  EXPECT_THROW(with({"cross", {{std::nullopt, {good}}}}), InvalidArgument);
  EXPECT_THROW(with({"cross", {{constant_model(0), {}}}}), InvalidArgument);
  EXPECT_THROW(with({"quantile", {{constant_model(0), {good}}}}), InvalidArgument);
  EXPECT_THROW(with({"cross", {{constant_model(0), {{Vector{{2, 1}}, Vector{{1, 2}}}}}}}),
               InvalidArgument);
  EXPECT_THROW(with({"cross", {{constant_model(0), {{Vector{{1, 2}}, Vector{{2, 1}}}}}}}),
               InvalidArgument);
  EXPECT_THROW(with({"cross", {{constant_model(0), {{Vector{{1, 2}}, Vector{{1}}}}}}}),
               InvalidArgument);
}

}  // namespace
}  // namespace bkernn
