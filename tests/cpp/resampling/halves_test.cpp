// What halves of the rows say, where it can be told by hand.
#include "resampling/halves.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bkernn {
namespace {

TEST(Halves, QuartilesOfFiveAngles) {
  StabilityResult result;
  const double degree = std::acos(-1.0) / 180;
  std::vector<Half> halves;
  for (const double angle : {50.0, 10.0, 40.0, 20.0, 30.0}) {
    Matrix W(2, 1);
    W << std::cos(angle * degree), std::sin(angle * degree);
    halves.push_back({W, W.cwiseAbs()});
  }
  Model& model = result.fit.model;
  model.W = Matrix::Ones(2, 1);
  model.center = RowVector::Zero(2);
  model.scale = RowVector::Ones(2);
  StabilityOptions options;
  options.coverage = 0.5;
  describe_halves(halves, Matrix::Identity(2, 1), options, result);
  EXPECT_TRUE(result.angle_levels.isApprox(Vector{{20, 30, 40}}, 1e-12)) << result.angle_levels;
  EXPECT_NEAR(result.lower(0, 0), std::cos(40 * degree), 1e-12);
  EXPECT_NEAR(result.upper(0, 0), std::cos(20 * degree), 1e-12);
  EXPECT_EQ(result.selection, Vector::Ones(2));
  options.coverage = 0.4;  // a fifth of the way to the next one
  describe_halves(halves, Matrix::Identity(2, 1), options, result);
  EXPECT_TRUE(result.angle_levels.isApprox(Vector{{22, 30, 38}}, 1e-12)) << result.angle_levels;
}

}  // namespace
}  // namespace bkernn
