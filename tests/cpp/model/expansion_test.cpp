// Functions that follow from rows and α.
#include <gtest/gtest.h>

#include <cmath>

#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "by_rule.hpp"
#include "model/expansion.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

// Six variables of which y needs two directions.
struct Rows {
  explicit Rows(Index n) {
    Rng rng(5);
    X = rng.normal_matrix(n, 6);
    Y.resize(n, 2);
    Y.col(0) = (X.col(0) + X.col(1)).array().sin() + 0.3 * rng.normal_matrix(n, 1).array();
    Y.col(1) = 10 * (X.col(2) - X.col(0)).array().abs();
    Z = 3 * rng.normal_matrix(3000, 6);  // also far outside
  }
  Matrix X, Y, Z;
};

Model fitted(const Rows& rows, const std::string& kernel = "brownian") {
  FitOptions options = by_rule();
  options.kernel = kernel;
  options.n_particles = 12;
  options.max_iter = 8;
  return fit(rows.X, rows.Y, options).model;
}

void expect_same_functions(const Model& a, const Model& b) {
  ASSERT_EQ(a.functions.size(), b.functions.size());
  for (std::size_t j = 0; j < a.functions.size(); ++j) {
    EXPECT_EQ(a.functions[j].knots, b.functions[j].knots);
    EXPECT_EQ(a.functions[j].values, b.functions[j].values);
  }
}

TEST(Expansion, TakesTheSmallerBasis) {
  Rng rng(2);
  const Matrix Z = rng.normal_matrix(5, 4), alpha = rng.normal_matrix(5, 1);
  Matrix W = rng.normal_matrix(4, 6);
  W.row(1).setZero();
  const Matrix variables{{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(make_expansion(W, Z, alpha).basis, variables);
  W.row(3) = W.row(0) - 2 * W.row(2);
  const Expansion two = make_expansion(W, Z, alpha);
  ASSERT_EQ(two.basis.cols(), 2);
  EXPECT_TRUE((two.basis * (two.basis.transpose() * W)).isApprox(W, 1e-12));
  EXPECT_TRUE(two.rows.isApprox(Z * two.basis, 1e-12));
}

TEST(Expansion, GivesTheFunctionsToTheBit) {
  const Rows rows(150);
  for (const std::string& kernel : kernel_names()) {
    SCOPED_TRACE(kernel);
    const Model model = fitted(rows, kernel);
    ASSERT_EQ(model.expansions.size(), 1u);
    Model again = model;
    again.functions.clear();
    again.follow_expansions();
    expect_same_functions(model, again);
    EXPECT_EQ(model.intercept, again.intercept);
  }
}

// By the definition: sums of kernels over rows.
TEST(Expansion, IsASumOfKernels) {
  const Rows rows(80);
  for (const std::string& name : kernel_names()) {
    SCOPED_TRACE(name);
    const Model model = fitted(rows, name);
    const Expansion& from = model.expansions.front();
    const std::unique_ptr<Kernel> kernel = make_kernel(name);
    const Matrix P = from.rows * from.basis.transpose() * model.W;
    const Vector at = Vector::LinSpaced(31, -2 * P.cwiseAbs().maxCoeff(), P.cwiseAbs().maxCoeff());
    for (Index j = 0; j < P.cols(); ++j) {
      const Vector p = P.col(j);
      Matrix want(at.size(), 2);
      Vector k(p.size());
      for (Index i = 0; i < at.size(); ++i) {
        kernel->values(p.size(), p.data(), at(i), k.data());
        want.row(i) = k.transpose() * from.alpha;
      }
      const double size = want.cwiseAbs().maxCoeff();
      EXPECT_LE((model.evaluate(j, at) - want).cwiseAbs().maxCoeff(), 1e-9 * (1 + size));
    }
  }
}

TEST(Expansion, HasAsManyCoordinatesAsThereAreDirections) {
  const Rows rows(150);
  const Model model = fitted(rows);
  const Expansion& from = model.expansions.front();
  EXPECT_EQ(from.basis.cols(), model.rank());
  EXPECT_LE((from.basis * from.basis.transpose() * model.W - model.W).norm(),
            1e-12 * model.W.norm());
}

TEST(Expansion, AFileGetsFewDigitsWithinThePromise) {
  const Rows rows(400);
  const Model model = fitted(rows);
  const Model filed = model.for_file();
  EXPECT_EQ(filed.tolerance.size(), 0);
  ASSERT_EQ(filed.expansions.size(), 1u);
  const Matrix moved = (filed.predict(rows.Z) - model.predict(rows.Z)).cwiseAbs();
  EXPECT_LE(moved.col(0).maxCoeff(), model.tolerance(0));
  EXPECT_LE(moved.col(1).maxCoeff(), model.tolerance(1));
  EXPECT_GT(moved.maxCoeff(), 0);
  // Whole multiples of one unit, below 2³⁰ of them.
  const Matrix& u = filed.expansions.front().rows;
  const double unit = std::ldexp(1.0, std::ilogb(u.cwiseAbs().maxCoeff()) - 29);
  EXPECT_EQ((u / unit).array().round().matrix(), u / unit);
  Model again = filed;
  again.follow_expansions();
  expect_same_functions(filed, again);
  expect_same_functions(filed, filed.for_file());
}

// The farthest that any of 2,000 searches from random starts can push a prediction.
TEST(Expansion, ThePromiseHoldsWhereverXLies) {
  const Rows rows(200);
  const Model model = fitted(rows), filed = model.for_file();
  Rng rng(8);
  Matrix Z = 2 * rng.normal_matrix(2000, 6);
  const auto moved = [&](const Matrix& at) {
    return Vector((filed.predict(at) - model.predict(at)).col(0).cwiseAbs());
  };
  Vector best = moved(Z);
  for (int step = 0; step < 60; ++step) {
    const Matrix other = Z + std::pow(0.9, step) * rng.normal_matrix(Z.rows(), 6);
    const Vector there = moved(other);
    for (Index i = 0; i < Z.rows(); ++i) {
      if (there(i) <= best(i)) continue;
      best(i) = there(i);
      Z.row(i) = other.row(i);
    }
  }
  EXPECT_LE(best.maxCoeff(), model.tolerance(0));
  EXPECT_GT(best.maxCoeff(), 0.01 * model.tolerance(0));
}

// Of one variable and one particle, lines with few knots are shorter than the rows.
TEST(Expansion, AFileGetsLinesWhereTheyAreFewer) {
  const Matrix X = Vector::LinSpaced(3000, -1, 1), Y = X.cwiseAbs();
  FitOptions options = by_rule();
  options.n_particles = 1;
  const Model model = fit(X, Y, options).model, filed = model.for_file();
  ASSERT_EQ(model.expansions.size(), 1u);
  EXPECT_TRUE(filed.expansions.empty());
  EXPECT_LT(filed.functions.front().knots.size(), 1000);
  EXPECT_LE((filed.predict(X) - model.predict(X)).cwiseAbs().maxCoeff(), model.tolerance(0));
}

TEST(Expansion, GoesWhereFunctionsAreGivenOtherwise) {
  const Rows rows(120);
  const Model model = fitted(rows);
  EXPECT_TRUE(model.compress(1e-3).expansions.empty());
  EXPECT_TRUE(model.in_coordinates(model.center, 2 * model.scale).expansions.empty());
  FitOptions options = by_rule();
  options.knots = 16;
  options.n_particles = 3;
  EXPECT_TRUE(fit(rows.X, rows.Y, options).model.expansions.empty());
}

TEST(Expansion, MeansKeepTheirParts) {
  const Rows rows(120);
  FitOptions options = by_rule();
  options.n_particles = 4;
  options.n_models = 3;
  const Model mean = fit(rows.X, rows.Y, options).model;
  ASSERT_EQ(mean.expansions.size(), 3u);
  Model again = mean;
  again.follow_expansions();
  expect_same_functions(mean, again);
}

TEST(Expansion, RefusesPartsThatDoNotFit) {
  const Model model = fitted(Rows(60));
  const auto refused = [&](const auto& damage) {
    Model damaged = model;
    damage(damaged.expansions.front());
    EXPECT_THROW(damaged.follow_expansions(), InvalidArgument);
    EXPECT_THROW(damaged.validate(), InvalidArgument);
  };
  refused([](Expansion& one) { one.particles -= 1; });
  refused([](Expansion& one) { one.particles += 1; });
  refused([](Expansion& one) { one.particles = 0; });
  refused([](Expansion& one) { one.basis.conservativeResize(5, Eigen::NoChange); });
  refused([](Expansion& one) { one.rows.conservativeResize(Eigen::NoChange, 9); });
  refused([](Expansion& one) { one.alpha.conservativeResize(59, Eigen::NoChange); });
  refused([](Expansion& one) { one.alpha.conservativeResize(Eigen::NoChange, 1); });
  refused([](Expansion& one) { one.rows(3, 0) = NAN; });
  Model none = model;
  none.expansions.clear();
  EXPECT_THROW(none.follow_expansions(), InvalidArgument);
  Model far = model;
  far.expansions.front().rows.setConstant(1e308);
  far.W *= 10;
  EXPECT_THROW(far.follow_expansions(), InvalidArgument);
}

}  // namespace
}  // namespace bkernn
