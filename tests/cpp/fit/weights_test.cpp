// Weights are counts, and the automatic λ follows the units of y.
#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/penalty.hpp"
#include "by_rule.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

FitOptions quick(const std::string& loss) {
  FitOptions options = by_rule();
  options.n_particles = 6;
  options.loss = loss;
  options.max_iter = 4;
  options.tol = 0;
  options.inner_tol = 1e-11;
  return options;
}

class Weights : public testing::TestWithParam<std::string> {
 protected:
  Weights() {
    Rng rng(9);
    X = rng.normal_matrix(n, 3);
    Y = naive::targets(GetParam(), X, naive::outputs(GetParam()), rng);
    for (Index i = 0; i < n; ++i) counts(i) = static_cast<double>(i % 3);
    for (Index i = 0; i < n; ++i) {
      for (int copy = 0; copy < i % 3; ++copy) rows.push_back(i);
    }
  }

  void expect_same_model(const FitResult& a, const FitResult& b, double tolerance) const {
    EXPECT_NEAR(a.regularization, b.regularization, 1e-10 * a.regularization);
    EXPECT_NEAR(a.report.objective, b.report.objective,
                tolerance * (1 + std::abs(a.report.objective)));
    const Matrix f = a.model.predict(X), g = b.model.predict(X);
    EXPECT_LE((f - g).norm(), tolerance * f.norm());
  }

  const Index n = 45;
  Matrix X, Y;
  Vector counts = Vector::Zero(n);
  std::vector<Index> rows;
};

TEST_P(Weights, AreRepeatedAndRemovedRows) {
  const Matrix repeated_X = X(rows, Eigen::all), repeated_Y = Y(rows, Eigen::all);
  for (const bool standardize : {true, false}) {
    for (const bool automatic : {true, false}) {
      FitOptions options = quick(GetParam());
      options.standardize = standardize;
      if (!automatic) options.regularization = 0.02;
      SCOPED_TRACE((standardize ? "standardized " : "as given ") +
                   std::string(automatic ? "automatic" : "explicit"));
      const FitResult weighted = fit({.X = X, .Y = Y, .weights = &counts}, options);
      const FitResult repeated = fit(repeated_X, repeated_Y, options);
      expect_same_model(weighted, repeated, 1e-7);
      for (Index i = 0; i < n; i += 3) EXPECT_EQ(weighted.alpha.row(i).norm(), 0);
    }
  }
}

// Equal rows are merged, so that not a bit is different; on knots they are not.
TEST_P(Weights, RepeatedRowsGiveTheSameBits) {
  std::vector<Index> order = rows;
  Rng(3).shuffle(order);
  const Matrix repeated_X = X(order, Eigen::all), repeated_Y = Y(order, Eigen::all);
  const FitOptions options = quick(GetParam());
  const FitResult weighted = fit({.X = X, .Y = Y, .weights = &counts}, options);
  const FitResult repeated = fit(repeated_X, repeated_Y, options);
  EXPECT_EQ(weighted.regularization, repeated.regularization);
  EXPECT_EQ(weighted.W, repeated.W);
  EXPECT_EQ(weighted.model.predict(X), repeated.model.predict(X));
  EXPECT_EQ(repeated.regularization,
            automatic_regularization({.X = repeated_X, .Y = repeated_Y}, options));
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Matrix share = weighted.alpha.row(order[k]) / counts(order[k]);
    EXPECT_EQ(Matrix(repeated.alpha.row(static_cast<Index>(k))), share);
  }
}

TEST_P(Weights, OnlyTheirRatiosMatter) {
  FitOptions options = quick(GetParam());
  options.regularization = 0.02;
  const FitResult once = fit({.X = X, .Y = Y, .weights = &counts}, options);
  for (const double factor : {1e-90, 1e-3, 7.0, 1e90}) {
    const Vector scaled = factor * counts;
    expect_same_model(once, fit({.X = X, .Y = Y, .weights = &scaled}, options), 1e-7);
  }
  const Vector equal = Vector::Constant(n, 3.5);
  expect_same_model(fit(X, Y, options), fit({.X = X, .Y = Y, .weights = &equal}, options), 1e-7);
}

// A weight that is lost beside the others makes no difference, however small it is.
TEST_P(Weights, TinyOnesAreRemovedRows) {
  const FitOptions options = quick(GetParam());
  const FitResult removed = fit({.X = X, .Y = Y, .weights = &counts}, options);
  for (const double tiny : {1e-13, 9e-15, 1e-30, 1e-310}) {
    Vector graded = counts;
    for (Index i = 0; i < n; ++i) {
      if (counts(i) == 0) graded(i) = tiny;
    }
    SCOPED_TRACE(tiny);
    expect_same_model(removed, fit({.X = X, .Y = Y, .weights = &graded}, options), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Weights, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

// y → ty: λ and the predictions are multiplied by t, whatever the penalty.
class Units : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Units, AutomaticRegularizationFollowsThem) {
  const auto& [loss, penalty] = GetParam();
  Rng rng(10);
  const Matrix X = rng.normal_matrix(60, 4);
  const Matrix Y = naive::targets(loss, X, loss == "square" ? 2 : 1, rng).array() + 5;
  FitOptions options = quick(loss);
  options.penalty = penalty;
  for (const bool standardize : {true, false}) {
    options.standardize = standardize;
    const FitResult once = fit(X, Y, options);
    const Matrix f = once.model.predict(X);
    EXPECT_DOUBLE_EQ(once.regularization, automatic_regularization({.X = X, .Y = Y}, options));
    for (const double t : {1e-3, 1e3}) {
      const FitResult scaled = fit(X, Matrix(t * Y), options);
      EXPECT_NEAR(scaled.regularization, t * once.regularization, 1e-8 * t * once.regularization);
      EXPECT_LE((scaled.model.predict(X) - t * f).norm(), 1e-7 * t * f.norm()) << t;
      // The same as an explicit λ in those units.
      FitOptions fixed = options;
      fixed.regularization = scaled.regularization;
      if (standardize) {
        EXPECT_LE((fit(X, Matrix(t * Y), fixed).model.predict(X) - t * f).norm(),
                  1e-7 * t * f.norm());
      }
    }
  }
}

TEST_P(Units, OfXDoNotMatterWhenStandardized) {
  const auto& [loss, penalty] = GetParam();
  Rng rng(12);
  const Matrix X = rng.normal_matrix(50, 3);
  const Matrix Y = naive::targets(loss, X, 1, rng);
  const RowVector scale{{1e-3, 1.0, 1e4}}, shift{{-5.0, 1e3, 2.0}};
  const Matrix other = (X * scale.asDiagonal()).rowwise() + shift;
  FitOptions options = quick(loss);
  options.penalty = penalty;
  const FitResult here = fit(X, Y, options), there = fit(other, Y, options);
  const Matrix f = here.model.predict(X);
  EXPECT_LE((there.model.predict(other) - f).norm(), 1e-7 * f.norm());
  EXPECT_LE((there.model.importances() - here.model.importances()).norm(), 1e-7);
  // Without it, shifts still do not.
  options.standardize = false;
  const FitResult near = fit(X, Y, options), far = fit(X.rowwise() + shift, Y, options);
  EXPECT_LE((far.model.predict(X.rowwise() + shift) - near.model.predict(X)).norm(),
            1e-7 * f.norm());
}

INSTANTIATE_TEST_SUITE_P(All, Units,
                         testing::Combine(testing::Values("square", "huber", "quantile"),
                                          testing::ValuesIn(penalty_names())),
                         [](const auto& one) {
                           return std::get<0>(one.param) + "_" + std::get<1>(one.param);
                         });

TEST(AutomaticRegularization, EqualsItsFormula) {
  Rng rng(13);
  const Matrix X = rng.normal_matrix(40, 3), Y = 3 * rng.normal_matrix(40, 1);
  const Matrix centered = X.rowwise() - X.colwise().mean();
  const Vector y = Y.array() - Y.mean();
  FitOptions options = by_rule();
  options.standardize = false;
  const double want = 0.3 * y.norm() / std::sqrt(40.0) * centered.rowwise().norm().maxCoeff() / 40;
  EXPECT_NEAR(automatic_regularization({.X = X, .Y = Y}, options), want, 1e-12 * want);
}

}  // namespace
}  // namespace bkernn
