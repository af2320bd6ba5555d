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

TEST_P(LossTest, OneValueThatIsNotANumberIsSeen) {
  for (Index k = 0; k < F.cols(); ++k) {
    Matrix broken = F;
    broken(3, k) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(value(broken))) << k;
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
    EXPECT_LE((response.array() / F.array().exp() - 1).abs().maxCoeff(), 1e-14);
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

bool takes(const Loss& loss, const Matrix& Y) {
  try {
    loss.check_targets(Y);
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

TEST_P(LossTest, TargetsAreWhatCheckTargetsTakes) {
  const Index q = Y.cols();
  EXPECT_EQ(loss->classifies(), !takes(*loss, Matrix::Constant(3, q, 2.5)));
  EXPECT_EQ(loss->targets() == Targets::numbers, takes(*loss, Matrix::Constant(3, q, -1)));
}

TEST_P(LossTest, ClassesAndOutputsBelongTogether) {
  EXPECT_EQ(loss->classifies(), loss->class_outputs(2) > 0);
  EXPECT_EQ(loss->classifies(), loss->n_classes(F.cols()) > 0);
  if (!loss->classifies()) {
    EXPECT_EQ(loss->response(F).cols(), F.cols());
  }
  for (const Index classes : {2, 3, 7}) {
    const Index outputs = loss->class_outputs(classes);
    if (outputs == 0) continue;
    const Matrix all = Matrix::Identity(classes, classes);
    EXPECT_TRUE(takes(*loss, all.rightCols(outputs)));
    EXPECT_EQ(loss->n_classes(outputs), classes);
    const Matrix response = loss->response(5 * all.rightCols(outputs));
    ASSERT_EQ(response.cols(), classes);
    // The last columns are those of Y: where it is 1 the response is large.
    const auto large = response.rightCols(outputs).array() > 0.9;
    EXPECT_TRUE((large == (all.rightCols(outputs).array() > 0.5)).all());
  }
  for (const Index classes : {0, 1}) EXPECT_EQ(loss->class_outputs(classes), 0);
}

// The largest length of ∂ℓ/∂f, from differences of the formula, at the predictions (f, −f, …, −f).
double largest_slope(const std::string& name, const Matrix& Y, const std::vector<double>& f) {
  const double h = 1e-6;
  const Vector one = Vector::Ones(1);
  double largest = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    for (const double level : f) {
      RowVector at = RowVector::Constant(Y.cols(), level), gradient(Y.cols());
      at.tail(Y.cols() - 1) *= -1;
      for (Index k = 0; k < Y.cols(); ++k) {
        RowVector right = at, left = at;
        right(k) += h;
        left(k) -= h;
        gradient(k) = (naive::loss(name, Y.row(i), right, one, kParameters) -
                       naive::loss(name, Y.row(i), left, one, kParameters)) /
                      (2 * h);
      }
      largest = std::max(largest, gradient.norm());
    }
  }
  return largest;
}

TEST_P(LossTest, LipschitzConstantBoundsTheSlopesAndIsReached) {
  const Matrix targets = Y.rightCols(loss->coupled() ? Y.cols() : 1);
  const double L = loss->lipschitz_constant(targets);
  std::vector<double> f;
  if (naive::bounded_slopes(GetParam())) {
    for (double level = 1e-3; level < 200; level *= 1.3) f.insert(f.end(), {-level, level});
  } else {  // responses in the range of the targets
    const double low = targets.minCoeff(), high = targets.maxCoeff();
    for (int step = 0; step <= 20; ++step) {
      const double mean = low + (high - low) * step / 20;
      if (loss->targets() == Targets::counts) {
        f.push_back(std::log(std::max(mean, 1e-3)));
      } else {
        f.push_back(mean);
      }
    }
  }
  const double found = largest_slope(GetParam(), targets, f);
  EXPECT_LE(found, L * (1 + 1e-6));
  EXPECT_GE(found, 0.9 * L);
}

// The gradient of the mean loss vanishes where the loss says.
TEST_P(LossTest, QuantileIsWhereTheMeanLossIsLeast) {
  if (!loss->quantile()) GTEST_SKIP() << "no quantile";
  const Index count = 1000;
  const Matrix sample = Vector::LinSpaced(count, 0, 10);
  Matrix gradient, D;
  loss->derivatives(sample, Matrix::Constant(count, 1, 10 * *loss->quantile()), Vector::Ones(count),
                    gradient, D);
  EXPECT_NEAR(gradient.mean(), 0, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, LossTest, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

TEST(DefaultLoss, SuitsWhatIsToBePredicted) {
  EXPECT_EQ(make_loss(default_loss())->targets(), Targets::numbers);
  EXPECT_EQ(make_loss(default_loss(2))->class_outputs(2), 1);
  for (const Index classes : {3, 4, 50})
    EXPECT_EQ(make_loss(default_loss(classes))->class_outputs(classes), classes);
}

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
