// Intervals of fits: cross, quantile, fast.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <filesystem>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "calibration/leave_one_out.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

FitOptions quick_intervals(const std::string& method) {
  FitOptions options;
  options.n_particles = 8;
  options.max_iter = 15;
  options.penalty = "feature";
  options.regularization = 0.05;
  options.intervals = method;
  return options;
}

// y = sin(2 x_1) + noise(x) · N(0, 1), and new rows of the same kind.
struct Noisy {
  explicit Noisy(Index n, std::uint64_t seed = 0, bool uneven = false) {
    Rng rng(seed);
    X = rng.normal_matrix(n, 2);
    X_new = rng.normal_matrix(4000, 2);
    const auto draw = [&](const Matrix& Z) {
      Matrix y = (2 * Z.col(0)).array().sin();
      for (Index i = 0; i < Z.rows(); ++i)
        y(i, 0) += (uneven ? 0.05 + 0.5 * std::abs(Z(i, 0)) : 0.3) * rng.normal();
      return y;
    };
    Y = draw(X);
    Y_new = draw(X_new);
  }
  double coverage(const Model& model, double wanted) const {
    const Intervals found = model.predict_interval(X_new, wanted);
    return interval_coverage(Y_new, found.lower, found.upper);
  }
  Matrix X, Y, X_new, Y_new;
};

TEST(CalibrateTest, CoverageIsWhatWasAsked) {
  for (const std::string method : {"cross", "fast", "quantile"}) {
    const Noisy data(400, 1);
    const Model model = fit(data.X, data.Y, quick_intervals(method)).model;
    ASSERT_NE(model.calibration, nullptr);
    EXPECT_EQ(model.calibration->method, method);
    EXPECT_EQ(model.calibration->rows(), 400);
    for (const double wanted : {0.5, 0.8, 0.95})  // 400 rows: a deviation of 0.025 at 0.5
      EXPECT_NEAR(data.coverage(model, wanted), wanted, 0.06) << method;
  }
}

TEST(CalibrateTest, QuantilesFollowTheNoise) {
  const Noisy data(600, 2, true);
  const auto width = [&](const std::string& method, double x) {
    const Model model = fit(data.X, data.Y, quick_intervals(method)).model;
    const Intervals found = model.predict_interval(Matrix{{x, 0.0}}, 0.9);
    return found.upper(0, 0) - found.lower(0, 0);
  };
  EXPECT_GT(width("quantile", 2.0), 1.7 * width("quantile", 0.0));
  EXPECT_LT(width("cross", 2.0), 1.3 * width("cross", 0.0));
}

TEST(CalibrateTest, SameBitsOnAnyThreadsInAnyOrderAndForWeights) {
  const Noisy data(60, 3);
  FitOptions options = quick_intervals("cross");
  const Matrix x = data.X_new.topRows(5);
  const auto ends = [&](const FitInput& input) {
    const Intervals found = fit(input, options).model.predict_interval(x, 0.8);
    Matrix both(5, 2);
    both << found.lower, found.upper;
    return both;
  };
  const MatrixView X = data.X, Y = data.Y;
  options.n_threads = 1;
  const Matrix first = ends({.X = X, .Y = Y});
  options.n_threads = 3;
  EXPECT_EQ(ends({.X = X, .Y = Y}), first);
  const Matrix X_turned = data.X.colwise().reverse(), Y_turned = data.Y.colwise().reverse();
  const MatrixView X_back = X_turned, Y_back = Y_turned;
  EXPECT_EQ(ends({.X = X_back, .Y = Y_back}), first);
  Vector weights = Vector::Ones(60);
  weights(7) = 2;
  Matrix X_more(61, 2), Y_more(61, 1);
  X_more << data.X, data.X.row(7);
  Y_more << data.Y, data.Y.row(7);
  const MatrixView X_twice = X_more, Y_twice = Y_more;
  EXPECT_EQ(ends({.X = X, .Y = Y, .weights = &weights}), ends({.X = X_twice, .Y = Y_twice}));
}

TEST(CalibrateTest, FilesKeepTheIntervals) {
  const Noisy data(80, 4);
  const std::string folder = ::testing::TempDir();
  for (const std::string method : {"cross", "quantile", "fast"}) {
    SavedModel saved;
    saved.model = fit(data.X, data.Y, quick_intervals(method)).model;
    const Matrix expected = saved.model.predict_interval(data.X_new, 0.9).lower;
    for (const std::string extension : {".json", ".ubj", ".cbor"}) {
      const std::string path = folder + "/intervals-" + method + extension;
      save_model(saved, path, Numbers::exact);
      EXPECT_EQ(load_model(path).model.predict_interval(data.X_new, 0.9).lower, expected);
      std::filesystem::remove(path);
    }
  }
}

TEST(CalibrateTest, ClassesHaveSets) {
  Rng rng(5);
  const auto draw = [&](Index n, Matrix& X, Matrix& Y) {
    X = rng.normal_matrix(n, 2);
    Y = Matrix::Zero(n, 3);
    for (Index i = 0; i < n; ++i) {
      const double t = X(i, 0) + 0.7 * rng.normal();
      Y(i, t < -0.5 ? 0 : t < 0.5 ? 1 : 2) = 1;
    }
  };
  Matrix X, Y, X_new, Y_new;
  draw(400, X, Y);
  draw(4000, X_new, Y_new);
  FitOptions options = quick_intervals("cross");
  options.loss = "multinomial";
  const Model model = fit(X, Y, options).model;
  for (const double wanted : {0.6, 0.9}) {
    const double covered = model.predict_set(X_new, wanted).cwiseProduct(Y_new).sum() / 4000;
    EXPECT_NEAR(covered, wanted, 0.05);
  }
}

TEST(CalibrateTest, CrossValidationLeavesOutItsOwnFolds) {
  const Noisy data(60, 6);
  FitOptions options = quick_intervals("cross");
  options.regularization.reset();
  CrossValidateOptions cross;
  cross.lambdas = {0.05};
  cross.n_folds = 4;
  const MatrixView X = data.X, Y = data.Y;
  const CrossValidateResult result = cross_validate({.X = X, .Y = Y}, options, cross);
  EXPECT_EQ(result.fit->model.calibration->parts.size(), 4u);
}

TEST(CalibrateTest, StoppingLeavesTheModelWithoutIntervals) {
  struct Stop final : Observer {
    bool on_iteration(const IterationRecord&, const FitState&) override { return true; }
    bool on_calibration(int, int) override { return false; }
  } stop;
  const Noisy data(60, 7);
  const MatrixView X = data.X, Y = data.Y;
  const FitResult result = fit({.X = X, .Y = Y}, quick_intervals("cross"), &stop);
  EXPECT_EQ(result.model.calibration, nullptr);
  EXPECT_EQ(result.report.termination, Termination::stopped);
}

TEST(CalibrateTest, WhatCannotBeCalibratedIsSaidBeforeTheFit) {
  const Noisy data(9, 8);
  EXPECT_THROW(fit(data.X, data.Y, quick_intervals("cross")), InvalidArgument);  // 10 folds
  EXPECT_NO_THROW(fit(data.X, data.Y, quick_intervals("fast")));
  const Noisy more(30, 8);
  const Matrix two = more.Y.replicate(1, 2);
  EXPECT_THROW(fit(more.X, two, quick_intervals("quantile")), InvalidArgument);
  FitOptions classes = quick_intervals("fast");
  classes.loss = "logistic";
  EXPECT_THROW(fit(more.X, (more.Y.array() > 0).cast<double>().matrix().eval(), classes),
               InvalidArgument);
}

// ---- Leave-one-out in closed form.

Matrix naive_kernel(const Matrix& Z, const Matrix& W, const Kernel& kernel) {
  Matrix K = Matrix::Zero(Z.rows(), Z.rows());
  const Matrix P = Z * W;
  Vector column(Z.rows());
  for (Index j = 0; j < W.cols(); ++j) {
    for (Index i = 0; i < Z.rows(); ++i) {
      kernel.values(Z.rows(), P.col(j).data(), P(i, j), column.data());
      K.col(i) += column / static_cast<double>(W.cols());
    }
  }
  return K;
}

// Predictions of the rows `at` by the weighted kernel ridge regression of the rows `in`.
double ridge_at(const Matrix& K, const Vector& y, const Vector& s, double n_lambda,
                const std::vector<Index>& in, Index at) {
  const auto n = static_cast<Index>(in.size());
  Matrix A = Matrix::Zero(n + 1, n + 1);
  A.topLeftCorner(n, n) = K(in, in);
  for (Index i = 0; i < n; ++i) A(i, i) += n_lambda / s(in[i]);
  A.col(n).head(n).setOnes();
  A.row(n).head(n).setOnes();
  Vector b = Vector::Zero(n + 1);
  b.head(n) = y(in);
  const Vector x = A.fullPivLu().solve(b);
  return K(at, in).dot(x.head(n)) + x(n);
}

TEST(LeaveOneOutTest, EqualsFitsWithoutEachRow) {
  Rng rng(9);
  const Index n = 25;
  const double lambda = 0.02;
  StandardRows rows{rng.normal_matrix(n, 3), rng.normal_matrix(n, 2),
                    (0.5 + rng.uniform_matrix(n, 1).array()).matrix()};
  rows.s *= static_cast<double>(n) / rows.s.sum();
  Matrix W = rng.normal_matrix(3, 6);
  W.col(2).setZero();
  for (const std::string& name : kernel_names()) {
    const std::unique_ptr<Kernel> kernel = make_kernel(name);
    const Matrix K = naive_kernel(rows.Z, W, *kernel);
    const double n_lambda = static_cast<double>(n) * lambda;
    std::vector<Index> all(n);
    for (Index i = 0; i < n; ++i) all[i] = i;
    Matrix F(n, 2), expected(n, 2);
    for (Index i = 0; i < n; ++i) {
      std::vector<Index> others = all;
      others.erase(others.begin() + i);
      for (Index k = 0; k < 2; ++k) {
        F(i, k) = ridge_at(K, rows.Y.col(k), rows.s, n_lambda, all, i);
        expected(i, k) = ridge_at(K, rows.Y.col(k), rows.s, n_lambda, others, i);
      }
    }
    const LeaveOneOut found = leave_one_out(rows, F, W, *kernel, *make_loss("square"), lambda, 0);
    ASSERT_EQ(found.rows, all);
    EXPECT_LT((found.F - expected).cwiseAbs().maxCoeff(), 1e-5) << name;
  }
}

// ---- Several quantiles in one fit.

TEST(QuantilesTest, DoNotCrossAndCover) {
  const Noisy data(500, 10, true);
  FitOptions options;
  options.n_particles = 10;
  options.max_iter = 60;
  options.loss = "quantile";
  options.loss_parameters.quantiles = {0.1, 0.5, 0.9};
  options.regularization = 0.05;
  const Model model = fit(data.X, data.Y.replicate(1, 3).eval(), options).model;
  EXPECT_EQ(model.quantiles, options.loss_parameters.quantiles);
  const Matrix found = model.predict_response(data.X_new);
  EXPECT_TRUE((found.col(0).array() <= found.col(1).array()).all());
  EXPECT_TRUE((found.col(1).array() <= found.col(2).array()).all());
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(quantile_coverage(data.Y_new, found.col(k)), model.quantiles[k], 0.06);
}

TEST(QuantilesTest, OneOfSeveralIsTheLossOfOne) {
  Rng rng(11);
  const Matrix Y = rng.normal_matrix(20, 1).replicate(1, 2), F = rng.normal_matrix(20, 2);
  const Vector s = Vector::Ones(20);
  const auto both = make_loss("quantile", {.quantiles = {0.2, 0.7}});
  const auto low = make_loss("quantile", {.quantile = 0.2});
  const auto high = make_loss("quantile", {.quantile = 0.7});
  EXPECT_NEAR(
      both->value(Y, F, s),
      low->value(Y.leftCols(1), F.leftCols(1), s) + high->value(Y.rightCols(1), F.rightCols(1), s),
      1e-12);
  Matrix g, D, g_high, D_high;
  both->derivatives(Y, F, s, g, D);
  high->derivatives(Y.rightCols(1), F.rightCols(1), s, g_high, D_high);
  EXPECT_EQ(g.rightCols(1), g_high);
  EXPECT_EQ(D.rightCols(1), D_high);
  EXPECT_THROW(make_loss("quantile", {.quantiles = {0.7, 0.2}}), InvalidArgument);
  EXPECT_THROW(make_loss("quantile", {.quantiles = {0.7, 1.2}}), InvalidArgument);
  EXPECT_THROW(both->check_targets(Y.leftCols(1)), InvalidArgument);
}

}  // namespace
}  // namespace bkernn
