// Several fits that become one model, and the number of particles that the rows ask for.
#include <gtest/gtest.h>

#include "bkernn/bkernn.hpp"
#include "by_rule.hpp"
#include "naive.hpp"
#include "problem/resolve_options.hpp"
#include "stop_at.hpp"

namespace bkernn {
namespace {

FitOptions several(Index n_models) {
  FitOptions options = by_rule();
  options.n_particles = 8;
  options.n_models = n_models;
  return options;
}

Simulated some_rows() {
  return simulate(
      {.kind = "multi_index", .n = 150, .n_test = 100, .d = 5, .noise = 0.1, .seed = 4});
}

TEST(ModelMean, PredictsTheMean) {
  const Simulated data = some_rows();
  FitOptions options = several(1);
  Model one = fit(data.train.X, data.train.Y, options).model;
  options.seed = 1;
  options.n_particles = 3;
  const Model other = fit(data.train.X, data.train.Y, options).model;
  const Model mean = Model::mean({&one, &other, &other});
  mean.validate();
  EXPECT_EQ(mean.n_particles, 14);
  const Matrix want = (one.predict(data.test.X) + 2 * other.predict(data.test.X)) / 3;
  EXPECT_LE((mean.predict(data.test.X) - want).norm(), 1e-12 * want.norm());
  one.loss = "poisson";
  EXPECT_THROW(Model::mean({&one, &other}), InvalidArgument);
  EXPECT_THROW(Model::mean({}), InvalidArgument);
}

class OtherCoordinates : public testing::TestWithParam<std::string> {};

TEST_P(OtherCoordinates, PredictTheSame) {
  const Simulated data = some_rows();
  FitOptions options = several(1);
  options.kernel = GetParam();
  const Model model = fit(data.train.X, data.train.Y, options).model;
  const RowVector center = model.center.array() + 0.3, scale = 2 * model.scale;
  const Model moved = model.in_coordinates(center, scale);
  moved.validate();
  EXPECT_EQ(moved.center, center);
  const Matrix want = model.predict(data.test.X);
  EXPECT_LE((moved.predict(data.test.X) - want).norm(), 1e-11 * want.norm());
  if (make_kernel(GetParam())->homogeneous()) {
    EXPECT_LE(std::abs(moved.evaluate(0, Vector::Zero(1))(0)), 1e-14);
    EXPECT_NEAR(moved.intercept(0), model.predict(Matrix(center))(0), 1e-12);
  }
  const Matrix mean = Model::mean({&model, &moved}).predict(data.test.X);
  EXPECT_LE((mean - want).norm(), 1e-11 * want.norm());
}

INSTANTIATE_TEST_SUITE_P(All, OtherCoordinates, testing::ValuesIn(kernel_names()));

class SeveralModels : public testing::TestWithParam<std::string> {};

TEST_P(SeveralModels, AreOneModelOfAllTheirParticles) {
  Rng rng(2);
  const Matrix X = rng.normal_matrix(80, 3);
  const Matrix Y = naive::targets(GetParam(), X, naive::outputs(GetParam()), rng);
  FitOptions options = several(3);
  options.loss = GetParam();
  options.max_iter = 12;
  const FitResult all = fit(X, Y, options);
  EXPECT_EQ(all.report.models, 3);
  EXPECT_EQ(all.model.n_particles, 24);
  EXPECT_EQ(all.W.cols(), 24);
  EXPECT_EQ(all.alpha.size(), 0);
  all.model.validate();
  FitOptions one = options;
  one.n_models = 1;
  const FitResult first = fit(X, Y, one);
  EXPECT_EQ(all.W.leftCols(8), first.W);  // the first starts where a single one does
  EXPECT_NE(all.W.middleCols(8, 8), first.W);
  EXPECT_EQ(all.regularization, first.regularization);
  options.n_threads = 1;
  EXPECT_EQ(fit(X, Y, options).model.predict(X), all.model.predict(X));
}

INSTANTIATE_TEST_SUITE_P(All, SeveralModels, testing::ValuesIn(loss_names()));

// Whatever the mean leaves out moves no prediction by more than 1e-4 of the spread of y.
TEST(SeveralModels, AreCompressedALittle) {
  const Simulated data = some_rows();
  const FitResult all = fit(data.train.X, data.train.Y, several(2));
  EXPECT_EQ(all.model.tolerance.size(), 0);
  for (const Expansion& part : all.model.expansions) {  // digits were left out
    const double unit = std::ldexp(1.0, std::ilogb(part.rows.cwiseAbs().maxCoeff()) - 30);
    EXPECT_EQ((part.rows / unit).array().round().matrix(), part.rows / unit);
  }
  const Vector y = data.train.Y.col(0);
  const double spread = std::sqrt((y.array() - y.mean()).square().mean());
  Matrix mean = Matrix::Zero(100, 1);
  FitOptions one = several(1);
  for (const Index half : {0, 8}) {
    one.init = all.W.middleCols(half, 8);
    one.max_iter = 0;
    mean += fit(data.train.X, data.train.Y, one).model.predict(data.test.X) / 2;
  }
  EXPECT_LE((mean - all.model.predict(data.test.X)).cwiseAbs().maxCoeff(), 1.2e-4 * spread);
}

TEST(SeveralModels, StopWithTheOneThatIsStopped) {
  const Simulated data = some_rows();
  StopAt stop(3);
  const FitResult result = fit({.X = data.train.X, .Y = data.train.Y}, several(4), &stop);
  EXPECT_EQ(result.report.termination, Termination::stopped);
  EXPECT_EQ(result.report.models, 1);
  EXPECT_EQ(result.model.n_particles, 8);
}

TEST(SeveralModels, AreNotResumed) {
  const Simulated data = some_rows();
  StopAt stop(3);
  fit({.X = data.train.X, .Y = data.train.Y}, several(1), &stop);
  try {
    fit({.X = data.train.X, .Y = data.train.Y, .resume = &stop.state}, several(2));
    FAIL() << "was resumed";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("n_models = 2: must be 1"), std::string::npos);
  }
}

TEST(AutomaticParticles, GrowWithTheRowsAsLongAsThatIsCheap) {
  EXPECT_EQ(automatic_particles(2), 50);
  EXPECT_EQ(automatic_particles(244), 50);
  EXPECT_EQ(automatic_particles(1000), 101);
  EXPECT_EQ(automatic_particles(4000), 200);
  EXPECT_EQ(automatic_particles(10'000), 100);
  EXPECT_EQ(automatic_particles(1e9), 50);
  for (double n = 2; n < 1e7; n *= 1.1)
    EXPECT_LE(automatic_particles(1.1 * n), automatic_particles(n) + 20);
}

TEST(AutomaticParticles, CountAWeightOfTwoAsTwoRows) {
  const Simulated data = some_rows();
  FitOptions options = by_rule();
  options.n_particles = 0;
  options.max_iter = 2;
  const Vector four = Vector::Constant(150, 4);
  const FitResult heavy = fit({.X = data.train.X, .Y = data.train.Y, .weights = &four}, options);
  const Matrix X = data.train.X.replicate(4, 1), Y = data.train.Y.replicate(4, 1);
  const FitResult copies = fit(X, Y, options);
  EXPECT_EQ(heavy.W.cols(), automatic_particles(600));
  EXPECT_EQ(heavy.W, copies.W);
  options.init = Matrix::Ones(5, 3);
  EXPECT_EQ(fit(X, Y, options).W.cols(), 3);
}

}  // namespace
}  // namespace bkernn
