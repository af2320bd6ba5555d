// Shares of models in their mean.
#include "choice/shares.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

struct Predictions {
  Predictions() {
    Rng rng(1);
    Y = rng.normal_matrix(200, 1);
    for (int k = 0; k < 3; ++k) F.emplace_back(Y + rng.normal_matrix(200, 1));
  }
  double loss_of(const std::vector<double>& shares) const {
    Matrix mean = Matrix::Zero(200, 1);
    for (int k = 0; k < 3; ++k) mean += shares[k] * F[k];
    return make_loss("square")->value(Y, mean, Vector::Ones(200));
  }
  Matrix Y;
  std::vector<Matrix> F;
};

TEST(Shares, AreThoseOfTheLeastLoss) {
  const Predictions data;
  const std::vector<double> best =
      best_shares(*make_loss("square"), data.Y, Vector::Ones(200), data.F);
  EXPECT_NEAR(std::accumulate(best.begin(), best.end(), 0.0), 1, 1e-15);
  for (int a = 0; a <= 12; ++a) {
    for (int b = 0; a + b <= 12; ++b) {
      const std::vector<double> other = {a / 12.0, b / 12.0, (12 - a - b) / 12.0};
      EXPECT_LE(data.loss_of(best), data.loss_of(other) * (1 + 1e-12));
    }
  }
  for (const double share : best) EXPECT_GT(share, 0);  // their errors are independent
}

TEST(Shares, LeaveOutWhatOnlyHarms) {
  const Predictions data;
  const std::vector<double> best =
      best_shares(*make_loss("square"), data.Y, Vector::Ones(200), {-data.Y, data.Y, 0 * data.Y});
  EXPECT_EQ(best[1], 1);
}

TEST(Shares, CountRowsByWeight) {
  const Matrix Y = Vector{{0, 1}}, one = Vector{{0, 0}}, other = Vector{{1, 1}};
  const Vector s{{3, 1}};
  const std::vector<double> best = best_shares(*make_loss("square"), Y, s, {one, other});
  EXPECT_DOUBLE_EQ(best[0], 0.75);
}

TEST(Shares, AreOfOneToThreeModels) {
  const Matrix Y = Matrix::Zero(2, 1);
  EXPECT_THROW(best_shares(*make_loss("square"), Y, Vector::Ones(2), {}), InvalidArgument);
  EXPECT_THROW(best_shares(*make_loss("square"), Y, Vector::Ones(2), {Y, Y, Y, Y}),
               InvalidArgument);
}

}  // namespace
}  // namespace bkernn
