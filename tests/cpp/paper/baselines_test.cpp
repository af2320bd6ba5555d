#include "bkernn/baselines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "algebra.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/simulate.hpp"

namespace bkernn {
namespace {

void expect_refused(const std::string& part_of_message, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << part_of_message;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }
}

Matrix brownian_kernel(const Matrix& A, const Matrix& B) {
  Matrix K(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < B.rows(); ++j) {
      K(i, j) = (A.row(i).norm() + B.row(j).norm() - (A.row(i) - B.row(j)).norm()) / 2;
    }
  }
  return K;
}

// (K + nλS⁻¹)α + 1c = y, 1ᵀα = 0 as one linear system, with the full kernel.
Matrix naive_ridge(const Matrix& X, const Matrix& Y, double lambda, const Vector& s,
                   const Matrix& X_test) {
  const Index r = X.rows();
  Matrix A = Matrix::Zero(r + 1, r + 1);
  A.topLeftCorner(r, r) = brownian_kernel(X, X);
  A.diagonal().head(r) += s.sum() * lambda * s.cwiseInverse();
  A.col(r).head(r).setOnes();
  A.row(r).head(r).setOnes();
  Matrix right = Matrix::Zero(r + 1, Y.cols());
  right.topRows(r) = Y;
  const Matrix solution = naive::solve(A, right);
  return (brownian_kernel(X_test, X) * solution.topRows(r)).rowwise() + solution.row(r);
}

struct Data {
  explicit Data(Index n = 30, Index d = 4, Index q = 2) {
    Rng rng(8);
    X = rng.normal_matrix(n, d);
    Y = rng.normal_matrix(n, q).array() + 3;
    X_test = 2 * rng.normal_matrix(11, d);
    weights = rng.uniform_matrix(n, 1).array() + 0.2;
  }
  Matrix X, Y, X_test;
  Vector weights;
};

TEST(BrownianKernelRidge, SolvesTheFullKernelProblem) {
  const Data data;
  for (const double lambda : {1e-9, 1e-4, 0.1, 10.0}) {
    const auto model = BrownianKernelRidge::fit(data.X, data.Y, lambda);
    const Matrix expected = naive_ridge(data.X, data.Y, lambda, Vector::Ones(30), data.X_test);
    EXPECT_LT((model.predict(data.X_test) - expected).norm(), 1e-10);
    EXPECT_LT(model.alpha.colwise().sum().norm(), 1e-13 * model.alpha.norm());
  }
}

TEST(BrownianKernelRidge, SolvesTheWeightedProblem) {
  const Data data;
  const auto model = BrownianKernelRidge::fit(data.X, data.Y, 0.05, &data.weights);
  const Matrix expected = naive_ridge(data.X, data.Y, 0.05, data.weights, data.X_test);
  EXPECT_LT((model.predict(data.X_test) - expected).norm(), 1e-10);
  EXPECT_LT(model.alpha.colwise().sum().norm(), 1e-10);
}

TEST(BrownianKernelRidge, WeightsAreCounts) {
  const Data data;
  Vector counts = Vector::Ones(30);
  counts(0) = 0;
  counts(1) = 2;
  Matrix X = data.X, Y = data.Y;
  X.row(0) = X.row(1);
  Y.row(0) = Y.row(1);
  const auto weighted = BrownianKernelRidge::fit(data.X, data.Y, 0.1, &counts);
  const auto repeated = BrownianKernelRidge::fit(X, Y, 0.1);
  EXPECT_LT((weighted.predict(data.X_test) - repeated.predict(data.X_test)).norm(), 1e-11);
  EXPECT_EQ(weighted.alpha.row(0).norm(), 0);
}

TEST(BrownianKernelRidge, MovingTheDataChangesNothing) {
  const Data data;
  const RowVector shift = RowVector::Constant(4, 100);
  const auto model = BrownianKernelRidge::fit(data.X, data.Y, 0.1);
  const auto moved = BrownianKernelRidge::fit(data.X.rowwise() + shift, data.Y.array() + 5, 0.1);
  const Matrix there = moved.predict(data.X_test.rowwise() + shift).array() - 5;
  EXPECT_LT((there - model.predict(data.X_test)).norm(), 1e-10);
}

TEST(BrownianKernelRidge, LimitsOfTheRegularization) {
  const Data data;
  const auto interpolating = BrownianKernelRidge::fit(data.X, data.Y, 1e-12);
  EXPECT_LT((interpolating.predict(data.X) - data.Y).norm(), 1e-8);
  const auto constant = BrownianKernelRidge::fit(data.X, data.Y, 1e12);
  EXPECT_LT((constant.predict(data.X_test).rowwise() - data.Y.colwise().mean()).norm(), 1e-8);
  const auto single = BrownianKernelRidge::fit(data.X.topRows(1), data.Y.topRows(1), 0.1);
  EXPECT_EQ(single.predict(data.X_test).row(3), data.Y.row(0));
}

// The published score of Experiment 5 at n = 200, d = 15, first repetition.
TEST(BrownianKernelRidge, ReproducesThePublishedScore) {
  const Simulated data =
      simulate({.kind = "abs_sine", .n = 200, .n_test = 201, .d = 15, .noise = 0, .seed = 0});
  const double lambda = 2 * data.train.X.rowwise().norm().maxCoeff() / 200;
  const auto model = BrownianKernelRidge::fit(data.train.X, data.train.Y, lambda);
  EXPECT_NEAR(r2_score(data.test.Y, model.predict(data.test.X)), -0.11943054665707753, 1e-11);
}

TEST(BrownianKernelRidge, DoesNotDependOnThreads) {
  const Data data(300, 5);
  Rng rng(2);
  const Matrix many = rng.normal_matrix(3000, 5);
  const auto one = BrownianKernelRidge::fit(data.X, data.Y, 0.1, nullptr, 1);
  const auto four = BrownianKernelRidge::fit(data.X, data.Y, 0.1, nullptr, 4);
  EXPECT_EQ(one.alpha, four.alpha);
  EXPECT_EQ(one.predict(many, 1), one.predict(many, 4));
  EXPECT_EQ(one.predict(many).row(2999), one.predict(many.bottomRows(1)));
}

TEST(BrownianKernelRidge, RefusesBadInputByName) {
  const Data data;
  Matrix bad = data.X;
  bad(3, 1) = INFINITY;
  Vector negative = data.weights;
  negative(2) = -1;
  const Vector zero = Vector::Zero(30), shorter = Vector::Ones(29);
  using Ridge = BrownianKernelRidge;
  expect_refused("regularization", [&] { Ridge::fit(data.X, data.Y, 0); });
  expect_refused("regularization", [&] { Ridge::fit(data.X, data.Y, NAN); });
  expect_refused("X", [&] { Ridge::fit(bad, data.Y, 1); });
  expect_refused("Y", [&] { Ridge::fit(data.X, bad, 1); });
  expect_refused("rows of X", [&] { Ridge::fit(Matrix(0, 4), Matrix(0, 1), 1); });
  expect_refused("columns of X", [&] { Ridge::fit(Matrix(2, 0), Matrix::Ones(2, 1), 1); });
  expect_refused("rows of Y", [&] { Ridge::fit(data.X, data.Y.topRows(29), 1); });
  expect_refused("weights", [&] { Ridge::fit(data.X, data.Y, 1, &negative); });
  expect_refused("weights", [&] { Ridge::fit(data.X, data.Y, 1, &zero); });
  expect_refused("weights", [&] { Ridge::fit(data.X, data.Y, 1, &shorter); });
  expect_refused("n_threads", [&] { Ridge::fit(data.X, data.Y, 1, nullptr, -1); });
  const auto model = Ridge::fit(data.X, data.Y, 1);
  expect_refused("columns of X", [&] { model.predict(data.X.leftCols(3)); });
  expect_refused("X[3, 1] = inf", [&] { model.predict(bad); });
  bad(3, 1) = 1e200;
  expect_refused("X[3, 1] = 1e+200", [&] { Ridge::fit(bad, data.Y, 1); });
  negative(2) = NAN;
  expect_refused("weights[2] = nan", [&] { Ridge::fit(data.X, data.Y, 1, &negative); });
  EXPECT_EQ(model.predict(Matrix(0, 4)).rows(), 0);
}

double half_squared_error(const ReLUNetwork& network, const Matrix& X, const Matrix& Y) {
  return 0.5 * (Y - network.predict(X)).squaredNorm() / static_cast<double>(X.rows());
}

TEST(ReLUNetwork, IsItsFormula) {
  const Data data;
  const auto network = ReLUNetwork::fit(data.X, data.Y, {.n_neurons = 7, .n_iter = 20});
  RowVector f = RowVector::Zero(2);
  for (Index j = 0; j < 7; ++j) {
    f +=
        network.eta.row(j) * std::max(0.0, data.X_test.row(5).dot(network.W.col(j)) + network.b(j));
  }
  EXPECT_LT((network.predict(data.X_test).row(5) - f).norm(), 1e-13);
}

TEST(ReLUNetwork, StartsAsPublished) {
  const Data data;
  constexpr Index m = 20000;
  const auto network = ReLUNetwork::fit(data.X, data.Y, {.n_neurons = m, .n_iter = 0});
  EXPECT_LT((network.W.colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
  EXPECT_LT(network.W.rowwise().mean().norm(), 0.05);
  EXPECT_LE(network.b.cwiseAbs().maxCoeff(), 1);
  EXPECT_NEAR(network.b.squaredNorm() / m, 1.0 / 3, 0.01);
  EXPECT_NEAR(network.eta.col(0).squaredNorm(), 2, 0.1);
}

// One step on all rows, against central differences of the objective in every parameter.
TEST(ReLUNetwork, StepsAlongTheGradient) {
  const Data data;
  constexpr double kStep = 0.01, h = 1e-6;
  ReLUNetworkOptions options{.n_neurons = 6, .step_size = kStep, .batch_size = 30, .n_iter = 0};
  const ReLUNetwork start = ReLUNetwork::fit(data.X, data.Y, options);
  options.n_iter = 1;
  const ReLUNetwork next = ReLUNetwork::fit(data.X, data.Y, options);

  const auto check = [&](auto member, const char* name) {
    const Index size = (start.*member).size();
    for (Index p = 0; p < size; ++p) {
      ReLUNetwork up = start, down = start;
      *((up.*member).data() + p) += h;
      *((down.*member).data() + p) -= h;
      const double slope =
          (half_squared_error(up, data.X, data.Y) - half_squared_error(down, data.X, data.Y)) /
          (2 * h);
      const double moved = *((next.*member).data() + p) - *((start.*member).data() + p);
      EXPECT_NEAR(moved, -kStep * slope, 1e-8) << name << " " << p;
    }
  };
  check(&ReLUNetwork::W, "W");
  check(&ReLUNetwork::b, "b");
  check(&ReLUNetwork::eta, "eta");
}

// One pass in batches with a tiny step moves by the sum of the gradients, so every row must have
// been used once.
TEST(ReLUNetwork, OnePassUsesEveryRowOnce) {
  const Data data(32);
  constexpr double kTiny = 1e-7;
  ReLUNetworkOptions options{.n_neurons = 6, .step_size = kTiny, .batch_size = 8, .n_iter = 0};
  const Matrix start = ReLUNetwork::fit(data.X, data.Y, options).eta;
  options.n_iter = 4;
  const Matrix pass = ReLUNetwork::fit(data.X, data.Y, options).eta - start;
  options.n_iter = 1;
  options.batch_size = 100;
  const Matrix whole = ReLUNetwork::fit(data.X, data.Y, options).eta - start;
  EXPECT_LT((pass - 4 * whole).norm(), 1e-5 * pass.norm());
  EXPECT_GT(whole.norm(), 0);
}

TEST(ReLUNetwork, EveryPassHasItsOwnOrder) {
  const Data data(32);
  const auto eta = [&](Index n_iter) {
    return ReLUNetwork::fit(data.X, data.Y,
                            {.n_neurons = 6, .step_size = 1e-7, .batch_size = 8, .n_iter = n_iter})
        .eta;
  };
  const Matrix first_of_pass_1 = eta(1) - eta(0), first_of_pass_2 = eta(5) - eta(4);
  EXPECT_GT((first_of_pass_1 - first_of_pass_2).norm(), 0.01 * first_of_pass_1.norm());
}

TEST(ReLUNetwork, LearnsAWave) {
  const Simulated data =
      simulate({.kind = "wave", .n = 128, .n_test = 256, .d = 1, .noise = 0.2, .seed = 1});
  const auto network = ReLUNetwork::fit(data.train.X, data.train.Y,
                                        {.n_neurons = 32, .step_size = 0.02, .n_iter = 40000});
  EXPECT_GT(r2_score(data.test.Y, network.predict(data.test.X)), 0.9);
}

TEST(ReLUNetwork, DependsOnTheSeedAndNotOnThreads) {
  const Data data;
  Rng rng(6);
  const Matrix many = rng.normal_matrix(20000, 4);
  const auto network = ReLUNetwork::fit(data.X, data.Y, {.n_iter = 50, .seed = 1});
  EXPECT_EQ(network.W, ReLUNetwork::fit(data.X, data.Y, {.n_iter = 50, .seed = 1}).W);
  EXPECT_NE(network.W, ReLUNetwork::fit(data.X, data.Y, {.n_iter = 50, .seed = 2}).W);
  EXPECT_EQ(network.predict(many, 1), network.predict(many, 4));
}

TEST(ReLUNetwork, ReportsDivergence) {
  const Data data;
  try {
    ReLUNetwork::fit(data.X, data.Y, {.step_size = 1000});
    ADD_FAILURE() << "did not diverge";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("step_size"), std::string::npos) << error.what();
  }
}

TEST(ReLUNetwork, RefusesBadInputByName) {
  const Data data;
  Matrix bad = data.X;
  bad(0, 0) = NAN;
  const auto fit = [&](const ReLUNetworkOptions& options) {
    ReLUNetwork::fit(data.X, data.Y, options);
  };
  expect_refused("n_neurons = 0", [&] { fit({.n_neurons = 0}); });
  expect_refused("step_size = 0", [&] { fit({.step_size = 0}); });
  expect_refused("step_size", [&] { fit({.step_size = INFINITY}); });
  expect_refused("batch_size = 0", [&] { fit({.batch_size = 0}); });
  expect_refused("n_iter = -1", [&] { fit({.n_iter = -1}); });
  expect_refused("X", [&] { ReLUNetwork::fit(bad, data.Y); });
  expect_refused("Y", [&] { ReLUNetwork::fit(data.X, bad); });
  expect_refused("rows of X", [&] { ReLUNetwork::fit(Matrix(0, 4), Matrix(0, 1)); });
  expect_refused("rows of Y", [&] { ReLUNetwork::fit(data.X, data.Y.topRows(2)); });
  const auto network = ReLUNetwork::fit(data.X, data.Y, {.n_iter = 1});
  expect_refused("columns of X", [&] { network.predict(data.X.leftCols(2)); });
  expect_refused("n_threads", [&] { network.predict(data.X, -1); });
}

}  // namespace
}  // namespace bkernn
