// Losses: derivatives against differences, majorizing curvature, convexity, extreme predictions,
// targets.
#include "bkernn/loss.hpp"

#include <gtest/gtest.h>

#include "bkernn/error.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

const LossParameters kParameters{.huber_delta = 0.7, .quantile = 0.8, .quantile_width = 0.2};

class LossTest : public testing::TestWithParam<std::string> {
 protected:
  LossTest() {
    Rng rng(1);
    const Matrix X = rng.normal_matrix(n, 2);
    Y = naive::targets(GetParam(), X, naive::outputs(GetParam()), rng);
    F = 2 * rng.normal_matrix(n, Y.cols());
    s = 0.1 + rng.uniform_matrix(n, 1).array();
  }

  double value(const Matrix& predictions) const { return loss->value(Y, predictions, s); }

  const Index n = 60;
  Matrix Y, F;
  Vector s;
  const std::unique_ptr<Loss> loss = make_loss(GetParam(), kParameters);
};

TEST_P(LossTest, ValueEqualsTheFormula) {
  const double want = naive::loss(GetParam(), Y, F, s, kParameters);
  EXPECT_NEAR(value(F), want, 1e-12 * std::abs(want));
}

TEST_P(LossTest, GradientEqualsSymmetricDifferences) {
  Matrix gradient, D;
  loss->derivatives(Y, F, s, gradient, D);
  const double h = 1e-6;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < F.cols(); ++k) {
      Matrix right = F, left = F;
      right(i, k) += h;
      left(i, k) -= h;
      EXPECT_NEAR(gradient(i, k), (value(right) - value(left)) / (2 * h),
                  1e-6 * (1 + std::abs(gradient(i, k))));
    }
  }
}

// Row by row, D (or diag D − DDᵀ/ΣD) minus the Hessian must be positive semidefinite, and D
// positive.
TEST_P(LossTest, CurvatureIsPositiveAndNotBelowTheSecondDerivative) {
  const Index q = F.cols();
  const double h = 1e-5;
  Matrix gradient, right, left, D, unused;
  loss->derivatives(Y, F, s, gradient, D);
  EXPECT_GT(D.minCoeff(), 0);
  for (Index i = 0; i < n; ++i) {
    Matrix H = D.row(i).asDiagonal();
    if (loss->coupled()) H -= D.row(i).transpose() * D.row(i) / D.row(i).sum();
    Matrix hessian(q, q);
    for (Index k = 0; k < q; ++k) {
      Matrix shifted = F;
      shifted(i, k) += h;
      loss->derivatives(Y, shifted, s, right, unused);
      shifted(i, k) -= 2 * h;
      loss->derivatives(Y, shifted, s, left, unused);
      hessian.col(k) = (right.row(i) - left.row(i)).transpose() / (2 * h);
    }
    for (int draw = 0; draw < 10; ++draw) {
      const Vector v = Rng(static_cast<std::uint64_t>(i * 10 + draw)).normal_matrix(q, 1);
      EXPECT_GE(v.dot((H - hessian) * v), -1e-4 * v.squaredNorm() * (1 + H.norm())) << i;
    }
  }
}

TEST_P(LossTest, IsConvex) {
  Rng rng(2);
  for (int draw = 0; draw < 50; ++draw) {
    const Matrix A = 3 * rng.normal_matrix(n, F.cols()), B = 3 * rng.normal_matrix(n, F.cols());
    const double u = rng.uniform();
    EXPECT_LE(value(u * A + (1 - u) * B), u * value(A) + (1 - u) * value(B) + 1e-9);
  }
}

TEST_P(LossTest, ExtremePredictionsStayFinite) {
  for (const double f : {-800.0, -40.0, 40.0, 800.0}) {
    Matrix extreme = Matrix::Constant(n, F.cols(), f);
    if (F.cols() > 1) extreme.col(0) *= -1;
    EXPECT_TRUE(loss->response(extreme).allFinite()) << f;
    if (GetParam() == "poisson" && f == 800) continue;  // the mean itself is beyond double
    Matrix gradient, D;
    loss->derivatives(Y, extreme, s, gradient, D);
    EXPECT_TRUE(std::isfinite(value(extreme))) << f;
    EXPECT_TRUE(gradient.allFinite() && D.allFinite()) << f;
    EXPECT_GT(D.minCoeff(), 0) << f;
  }
  if (GetParam() == "poisson") {
    const Matrix beyond = Matrix::Constant(n, 1, 800);
    EXPECT_EQ(value(beyond), std::numeric_limits<double>::infinity())
        << "not NaN: a line search must see it";
  }
}

TEST_P(LossTest, ResponseIsOnTheScaleOfY) {
  const Matrix response = loss->response(F);
  if (GetParam() == "logistic") {
    ASSERT_EQ(response.cols(), 2);
    EXPECT_LE((response.col(1).array() - 1 / (1 + (-F.col(0).array()).exp())).abs().maxCoeff(),
              1e-15);
  }
  if (GetParam() == "logistic" || GetParam() == "multinomial") {
    for (const double scale : {1.0, 400.0}) {
      const Matrix p = loss->response(scale * F);
      EXPECT_GE(p.minCoeff(), 0);
      EXPECT_LE((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-14);
    }
  } else if (GetParam() == "poisson") {
    EXPECT_EQ(response, Matrix(F.array().exp()));
  } else {
    EXPECT_EQ(response, F);
  }
}

TEST_P(LossTest, StartIsFiniteForAnyTargets) {
  EXPECT_TRUE(loss->start(Y, s).allFinite());
  EXPECT_TRUE(loss->start(Matrix::Zero(n, Y.cols()), s).allFinite());
  EXPECT_TRUE(loss->start(Matrix::Ones(n, Y.cols()), s).allFinite());
}

TEST_P(LossTest, Traits) {
  EXPECT_EQ(loss->name(), GetParam());
  EXPECT_EQ(loss->quadratic(), GetParam() == "square");
  EXPECT_EQ(loss->coupled(), GetParam() == "multinomial");
  // ℓ(ty, tf) is minimized at t times the minimizer: the gradient at the scaled point vanishes
  // together.
  EXPECT_EQ(loss->scale_equivariant(),
            GetParam() == "square" || GetParam() == "huber" || GetParam() == "quantile");
  EXPECT_NO_THROW(loss->check_targets(Y));
}

INSTANTIATE_TEST_SUITE_P(All, LossTest, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

TEST(QuantileLoss, ExceedsThePinballLossByAtMostAQuarterOfTheWidth) {
  const auto loss = make_loss("quantile", {.quantile = 0.8, .quantile_width = 0.2});
  const Vector one = Vector::Ones(1);
  for (double r = -0.5; r <= 0.5; r += 0.01) {
    const double pinball = 0.8 * std::max(r, 0.0) + 0.2 * std::max(-r, 0.0);
    const double smooth = loss->value(Matrix::Constant(1, 1, r), Matrix::Zero(1, 1), one);
    EXPECT_GE(smooth, pinball - 1e-15);
    EXPECT_LE(smooth, pinball + 0.05 + 1e-15);
  }
}

void expect_refused(const std::string& loss, const Matrix& Y, const std::string& part) {
  try {
    make_loss(loss)->check_targets(Y);
    ADD_FAILURE() << loss << " took\n" << Y;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(CheckTargets, NamesTheBadOne) {
  expect_refused("logistic", Matrix{{0}, {1}, {2}}, "y[2] = 2");
  expect_refused("logistic", Matrix{{0}, {-1}}, "y[1] = -1");
  expect_refused("logistic", Matrix{{0.5}, {1}}, "y[0] = 0.5");
  expect_refused("logistic", Matrix{{0, 1}, {1, 0}}, "one column");
  expect_refused("multinomial", Matrix{{1}, {0}}, "1 columns");
  expect_refused("multinomial", Matrix{{1, 0}, {1, 1}}, "row 1");
  expect_refused("multinomial", Matrix{{1, 0}, {0, 0}}, "one-hot");
  expect_refused("multinomial", Matrix{{0.5, 0.5}, {1, 0}}, "one-hot");
  expect_refused("poisson", Matrix{{1}, {-1}}, "y[1] = -1");
  expect_refused("poisson", Matrix{{1e16}}, "y[0] = 1e+16");
  EXPECT_NO_THROW(make_loss("poisson")->check_targets(Matrix{{0}, {2.5}}));
}

}  // namespace
}  // namespace bkernn
