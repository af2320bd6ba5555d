// The fitted model: predictions, explanations, and refusal of damaged parts.
#include "bkernn/model.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

FitOptions quick() {
  FitOptions options = by_rule();
  options.n_particles = 7;
  options.max_iter = 5;
  return options;
}

struct Fitted {
  explicit Fitted(const FitOptions& options, Index q = 1) {
    Rng rng(1);
    X = 2 * rng.normal_matrix(60, 4).array() + 3;
    Y = naive::targets("square", X, q, rng);
    Z = 4 * rng.normal_matrix(90, 4).array() + 3;
    result = fit(X, Y, options);
  }
  Matrix X, Y, Z;
  FitResult result;
};

// f(x) = c + Σ_i α_i k(x, x_i), with the rows as given, from W, α and c alone.
TEST(Model, PredictsTheKernelExpansion) {
  for (const std::string& kernel : kernel_names()) {
    for (const bool standardize : {false, true}) {
      for (const Index q : {1, 2}) {
        FitOptions options = quick();
        options.kernel = kernel;
        options.standardize = standardize;
        const Fitted fitted(options, q);
        const FitResult& result = fitted.result;
        const Matrix W = result.model.scale.cwiseInverse().asDiagonal() * result.W;
        for (const Matrix& rows : {fitted.X, fitted.Z}) {
          const Matrix want =
              (naive::gram(kernel, rows, fitted.X, W) * result.alpha).rowwise() + result.intercept;
          const Matrix got = result.model.predict(rows);
          EXPECT_LE((got - want).norm(), 1e-9 * want.norm()) << kernel << standardize << q;
        }
        EXPECT_LE(result.alpha.colwise().sum().norm(), 1e-9 * result.alpha.norm());
        if (kernel == "brownian") {  // h_j(0) = 0
          const Matrix at_center = result.model.predict(Matrix(result.model.center));
          EXPECT_LE((at_center - result.model.intercept).norm(), 1e-12 * (1 + at_center.norm()));
        }
        EXPECT_NO_THROW(result.model.validate());
      }
    }
  }
}

TEST(Model, RowsDoNotDependOnTheirBatch) {
  for (const std::string& kernel : kernel_names()) {
    FitOptions options = quick();
    options.kernel = kernel;
    const Fitted fitted(options, 2);
    const Model& model = fitted.result.model;
    const Matrix Z = fitted.Z.replicate(20, 1);  // several blocks
    const Matrix all = model.predict(Z);
    for (const Index i : {0, 1, 89, 511, 512, 1799}) {
      EXPECT_TRUE(model.predict(Z.row(i)) == all.row(i)) << kernel << " " << i;
    }
    EXPECT_TRUE(model.predict(Z.middleRows(300, 700)) == all.middleRows(300, 700)) << kernel;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const RowMajor c_order = Z;
    const MatrixView view =
        Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>(
            c_order.data(), Z.rows(), Z.cols(), {1, Z.cols()});
    EXPECT_TRUE(model.predict(view) == all) << "C order";
    EXPECT_EQ(model.predict(Matrix(0, 4)).rows(), 0);
  }
}

TEST(Model, DropsZeroParticles) {
  FitOptions options = quick();
  options.init = Rng(2).normal_matrix(4, 7);
  options.init.col(1).setZero();
  options.init.col(5).setZero();
  options.max_iter = 0;
  const Fitted fitted(options);
  const Model& model = fitted.result.model;
  EXPECT_EQ(model.W.cols(), 5);
  EXPECT_EQ(model.functions.size(), 5u);
  EXPECT_EQ(model.n_particles, 7);
  EXPECT_EQ(fitted.result.W.cols(), 7);
  EXPECT_EQ(model.singular_values().size(), 4);
}

TEST(Model, ImportancesAndSingularValues) {
  for (const std::string& penalty : penalty_names()) {
    FitOptions options = quick();
    options.penalty = penalty;
    const Fitted fitted(options);
    const Model& model = fitted.result.model;
    const Vector shares = model.importances();
    EXPECT_NEAR(shares.sum(), 1, 1e-12);
    const Vector norms = fitted.result.W.rowwise().norm();
    EXPECT_LE((shares - norms / norms.sum()).norm(), 1e-12);
    EXPECT_LE((model.singular_values() - naive::singular_values(fitted.result.W)).norm(),
              1e-10 * norms.norm());
    EXPECT_EQ(model.selects_variables(), penalty == "variable" || penalty == "concave_variable");
    EXPECT_LE(
        (model.weights_in_original_units() - model.scale.cwiseInverse().asDiagonal() * model.W)
            .norm(),
        1e-14);
  }
}

TEST(Model, DirectionsAreOrthonormalAndLeading) {
  for (const std::string penalty : {"feature", "variable"}) {
    FitOptions options = quick();
    options.penalty = penalty;
    options.max_iter = 0;
    const Model model = Fitted(options).result.model;
    for (const Index k : {1, 2, 4}) {
      const Matrix P = model.directions(k);
      EXPECT_LE((P.transpose() * P - Matrix::Identity(k, k)).norm(), 1e-12);
      if (penalty == "feature") {
        EXPECT_NEAR((P.transpose() * model.W).norm(), model.singular_values().head(k).norm(),
                    1e-10);
      } else {
        Vector shares = model.importances();
        const double kept = (P.transpose() * shares).sum();
        std::sort(shares.begin(), shares.end(), std::greater<>());
        EXPECT_NEAR(kept, shares.head(k).sum(), 1e-12);
      }
    }
    for (const Index k : {Index{-1}, Index{0}, Index{5}, Index{1} << 45})
      EXPECT_THROW(model.directions(k), InvalidArgument) << k;
  }
}

TEST(Model, TheConstantModelExplainsNothing) {
  FitOptions options = quick();
  options.init = Matrix::Zero(4, 7);
  const Model model = Fitted(options).result.model;
  EXPECT_EQ(model.importances(), Vector::Zero(4));
  EXPECT_EQ(model.singular_values(), Vector::Zero(4));
  EXPECT_THROW(model.directions(1), InvalidArgument);
  EXPECT_EQ(model.weights_in_original_units().cols(), 0);
  EXPECT_NO_THROW(model.validate());
}

TEST(Model, ResponseOfEveryLoss) {
  Rng rng(3);
  const Matrix X = rng.normal_matrix(60, 3);
  for (const std::string& loss : loss_names()) {
    FitOptions options = quick();
    options.loss = loss;
    const Matrix Y = naive::targets(loss, X, naive::outputs(loss), rng);
    const Model model = fit(X, Y, options).model;
    const Matrix response = model.predict_response(X), f = model.predict(X);
    EXPECT_EQ(model.loss, loss);
    if (model.n_classes() > 0) {
      EXPECT_EQ(response.cols(), model.n_classes());
      EXPECT_LE((response.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-14) << loss;
      EXPECT_GE(response.minCoeff(), 0);
    } else if (loss == "poisson") {
      EXPECT_GT(response.minCoeff(), 0);
      EXPECT_NEAR(response.mean(), Y.mean(), 1e-6 * Y.mean()) << "the intercept is free";
    } else {
      EXPECT_TRUE(response == f);
    }
  }
}

TEST(Model, RefusesOtherRows) {
  const Fitted fitted(quick());
  EXPECT_THROW(fitted.result.model.predict(Matrix::Zero(3, 5)), InvalidArgument);
  Matrix Z = fitted.Z;
  Z(7, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(fitted.result.model.predict(Z), InvalidArgument);
}

// As large as validate() lets a model be.
TEST(Model, PredictsFiniteNumbersWhereverItIsAsked) {
  for (const std::string& kernel : kernel_names()) {
    for (const std::string& loss : loss_names()) {
      const Index q = std::max<Index>(1, make_loss(loss)->class_outputs(2));
      Model model;
      model.kernel = kernel;
      model.loss = loss;
      model.n_particles = 2;
      model.center = RowVector{{1e100, -1e100}};
      model.scale = RowVector{{1e-99, 1e100}};
      model.W = Matrix{{1e100, -1e100}, {1e150, 1}};
      const RidgeFunction h{Vector{{-1e300, 1, std::nextafter(1, 2), 1e300}},
                            Vector{{-1e200, 1e200, -1e200, 1e200}}.replicate(1, q)};
      model.functions = {h, h};
      model.intercept = RowVector::Constant(q, 1e200);
      ASSERT_NO_THROW(model.validate());
      const Matrix X{{1e100, 1e100}, {-1e100, -1e100}, {0, 0}, {1e100, -1e100}, {1, -1e-300}};
      EXPECT_TRUE(model.predict(X).allFinite()) << kernel;
      EXPECT_TRUE(model.predict_response(X).allFinite()) << kernel << " " << loss;
    }
  }
}

TEST(Model, SaysWhatIsTooFarAway) {
  const Model model = Fitted(quick(), 2).result.model;
  Matrix X = Matrix::Zero(2, model.n_features());
  X(1, 0) = std::numeric_limits<double>::max();
  const auto error = [&](const Model& asked) -> std::string {
    try {
      asked.predict(X);
    } catch (const InvalidArgument& refused) {
      return refused.what();
    }
    return "";
  };
  Model narrow = model;
  narrow.scale(0) = 1e-10;
  EXPECT_EQ(error(narrow),
            "X = 1.79769e+308: is too far from the rows of the fit: its projections overflow");
  X(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error(narrow), "X = infinite: every value must be finite, or NaN");
}

TEST(Model, ValidateRejectsEveryKindOfDamage) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Model good = Fitted(quick(), 2).result.model;
  ASSERT_NO_THROW(good.validate());
  ASSERT_GE(good.W.cols(), 1);
  ASSERT_GE(good.functions[0].knots.size(), 3);
  const std::vector<std::function<void(Model&)>> damages{
      [](Model& m) { m.kernel = "linear"; },
      [](Model& m) { m.loss = ""; },
      [](Model& m) { m.loss = "logistic"; },  // of two outputs
      [](Model& m) { m.penalty = "l0"; },
      [](Model& m) { m.center.resize(0); },
      [](Model& m) { m.center.conservativeResize(3); },
      [&](Model& m) { m.center(1) = nan; },
      [](Model& m) { m.scale.conservativeResize(3); },
      [](Model& m) { m.scale(0) = 0; },
      [](Model& m) { m.scale(0) = -1; },
      [&](Model& m) { m.scale(0) = nan; },
      [](Model& m) { m.scale(0) = std::numeric_limits<double>::infinity(); },
      [](Model& m) { m.n_particles = m.W.cols() - 1; },
      [](Model& m) { m.n_particles = -1; },
      [](Model& m) { m.W.conservativeResize(3, Eigen::NoChange); },
      [](Model& m) { m.W.conservativeResize(Eigen::NoChange, m.W.cols() - 1); },
      [&](Model& m) { m.W(0, 0) = nan; },
      [](Model& m) { m.functions.pop_back(); },
      [](Model& m) { m.functions.push_back(m.functions[0]); },
      [](Model& m) { m.functions[0].knots.conservativeResize(2); },
      [](Model& m) { m.functions[0] = {}; },
      [](Model& m) { m.functions[0].values.conservativeResize(Eigen::NoChange, 1); },
      [](Model& m) { std::swap(m.functions[0].knots(0), m.functions[0].knots(1)); },
      [](Model& m) { m.functions[0].knots(1) = m.functions[0].knots(0); },
      [&](Model& m) { m.functions[0].knots(0) = nan; },
      [&](Model& m) { m.functions[0].values(2, 1) = nan; },
      [](Model& m) { m.intercept.resize(0); },
      [](Model& m) { m.intercept.conservativeResize(1); },
      [&](Model& m) { m.intercept(0) = nan; },
      [](Model& m) { m.feature_names = {"a"}; },
      [](Model& m) { m.class_names = {"a"}; },
      [](Model& m) {
        m.class_names = {"a", "b"};
      }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Model damaged = good;
    damages[i](damaged);
    EXPECT_THROW(damaged.validate(), InvalidArgument) << "damage " << i;
  }
}

}  // namespace
}  // namespace bkernn
