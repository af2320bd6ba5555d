// Rows in several places: the same model as with all of them in one.
#include "bkernn/distributed.hpp"
#include "by_rule.hpp"
#include "outer/optimizer_state.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

struct PlacedData {
  explicit PlacedData(const std::string& loss, Index n = 400) {
    Rng rng(7);
    X = 3 * rng.normal_matrix(n, 4);
    X.col(2).array() += 100;
    X.col(3).setConstant(5);
    Y = naive::targets(loss, X / 3, naive::outputs(loss), rng);
    w = Vector::Ones(n);
    for (Index i = 0; i < n; i += 7) w(i) = static_cast<double>(i % 3);
  }
  Matrix X, Y;
  Vector w;
};

FitOptions options_for(const std::string& loss) {
  FitOptions options = by_rule();
  options.loss = loss;
  options.n_particles = 8;
  options.knots = 12;
  options.max_iter = 15;
  return options;
}

// Shards of these sizes, and an Ask that counts the questions.
struct Sites {
  Sites(const PlacedData& data, const std::vector<Index>& sizes, const FitOptions& options) {
    Index begin = 0;
    for (const Index size : sizes) {
      shards.emplace_back(data.X.middleRows(begin, size), data.Y.middleRows(begin, size),
                          data.w.segment(begin, size), options, static_cast<Index>(shards.size()));
      begin += size;
    }
    EXPECT_EQ(begin, data.X.rows());
    input.ask = [this](const std::string& question, const Message& argument) {
      ++asked[question];
      std::vector<Message> answers;
      for (RowShard& shard : shards) answers.push_back(shard.answer(question, argument));
      return answers;
    };
  }
  std::vector<RowShard> shards;
  std::map<std::string, int> asked;
  DistributedInput input;
};

class DistributedLoss : public testing::TestWithParam<std::string> {};

TEST_P(DistributedLoss, EqualsTheFitInOnePlace) {
  const PlacedData data(GetParam());
  const FitOptions options = options_for(GetParam());
  const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
  const Matrix want = local.model.predict(data.X);
  for (const std::vector<Index>& sizes :
       {std::vector<Index>{400}, {100, 250, 50}, {1, 0, 398, 1}, {40, 40, 40, 40, 40, 200}}) {
    Sites places(data, sizes, options);
    const FitResult found = fit_distributed(places.input, options);
    EXPECT_EQ(found.regularization, local.regularization);
    EXPECT_EQ(found.W, local.W);
    EXPECT_EQ(found.model.predict(data.X), want);
    EXPECT_EQ(found.report.knots, 12);
    EXPECT_GT(found.report.seconds, 0);
    EXPECT_EQ(found.report.iterations.size(), local.report.iterations.size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, DistributedLoss, testing::ValuesIn(loss_names()),
                         [](const auto& one) { return one.param; });

TEST(Distributed, FitsWithinTheLeadingDirectionsAsInOnePlace) {
  const PlacedData data("square");
  FitOptions options = options_for("square");
  options.n_directions = 2;
  const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
  Sites places(data, {100, 250, 50}, options);
  const FitResult found = fit_distributed(places.input, options);
  EXPECT_EQ(found.model.rank(), 2);
  EXPECT_EQ(found.regularization, local.regularization);
  EXPECT_EQ(found.W, local.W);
}

// More unknowns than are factorized: conjugate gradients take many steps, and every rounding of a
// sum would show.
TEST(Distributed, EqualsTheFitInOnePlaceWithManyUnknowns) {
  const PlacedData data("square", 4000);
  FitOptions options = options_for("square");
  options.n_particles = 30;
  options.knots = 64;
  const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
  ASSERT_LT(local.report.coarse_unknowns, 30 * 32);
  for (const std::vector<Index>& sizes : {std::vector<Index>{4000}, {1001, 2, 2997}}) {
    Sites places(data, sizes, options);
    const FitResult found = fit_distributed(places.input, options);
    EXPECT_EQ(found.W, local.W);
    EXPECT_EQ(found.model.predict(data.X), local.model.predict(data.X));
  }
}

// Means that are nothing but rounding, a row that stands out, and W = 0 at the end.
TEST(Distributed, EqualsTheFitInOnePlaceInHardCases) {
  PlacedData data("square", 1000);
  data.X.rowwise() -= RowVector(data.X.colwise().mean());
  data.Y.array() -= data.Y.mean();
  data.Y(17, 0) = 1e4;
  for (const double lambda : {1e-3, 1e6}) {
    FitOptions options = options_for("square");
    options.regularization = lambda;
    const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
    if (lambda > 1) {
      EXPECT_EQ(local.report.termination, Termination::trivial);
    }
    for (const std::vector<Index>& sizes : {std::vector<Index>{1000}, {7, 600, 393}}) {
      Sites places(data, sizes, options);
      const FitResult found = fit_distributed(places.input, options);
      EXPECT_EQ(found.W, local.W);
      EXPECT_EQ(found.model.predict(data.X), local.model.predict(data.X));
      EXPECT_LE(places.asked["evaluate"], 3 * found.report.evaluations + 10);
    }
  }
}

// A term of ∂G/∂W lies so near to the middle of two quanta that it goes to the one or the other if
// its product is fused with the sum or not.
TEST(Distributed, EqualsTheFitInOnePlaceWhereARoundingIsClose) {
  const PlacedData data("poisson");
  FitOptions options = options_for("poisson");
  options.penalty = "feature";
  options.regularization = 0.061634169937473879;
  options.max_iter = 14;
  const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
  Sites places(data, {100, 250, 50}, options);
  EXPECT_EQ(fit_distributed(places.input, options).W, local.W);
}

// Solves end where rounding begins.
TEST_P(DistributedLoss, AsksLittle) {
  const PlacedData data(GetParam());
  const FitOptions options = options_for(GetParam());
  Sites places(data, {150, 250}, options);
  const FitResult found = fit_distributed(places.input, options);
  EXPECT_LE(places.asked["evaluate"], 12 * found.report.evaluations + 60);
}

// Coarse stages, drawn from all shards.
TEST(Distributed, EqualsTheFitInOnePlaceWithStages) {
  PlacedData data("square", 5000);
  data.w.setOnes();
  FitOptions options = options_for("square");
  options.max_iter = 10;
  const FitResult local = fit({.X = data.X, .Y = data.Y}, options);
  ASSERT_EQ(local.report.stages(), (std::vector<Index>{2000, 4000, 5000}));
  const Matrix want = local.model.predict(data.X);
  Sites places(data, {1500, 3500}, options);
  const FitResult found = fit_distributed(places.input, options);
  EXPECT_EQ(found.model.predict(data.X), want);
  const std::vector<IterationRecord>& steps = found.report.iterations;
  const auto on_all_rows = std::count_if(
      steps.begin(), steps.end(), [](const IterationRecord& step) { return step.rows == 5000; });
  // One for each step, one to see that it is time to stop, one for what is still promised, and
  // those of inner problems that were solved once more.
  EXPECT_GT(on_all_rows, 0);
  EXPECT_GE(places.asked["gradient"], on_all_rows + 1);
  EXPECT_LE(places.asked["gradient"], found.report.evaluations);
}

struct Keep : Observer {
  bool on_iteration(const IterationRecord& record, const FitState& now) override {
    if (record.iteration == 4) state = now;
    return true;
  }
  FitState state;
};

TEST(Distributed, GoesOnFromAState) {
  const PlacedData data("logistic");
  const FitOptions options = options_for("logistic");
  Sites places(data, {150, 250}, options);
  Keep keep;
  const FitResult whole = fit_distributed(places.input, options, &keep);
  ASSERT_GT(keep.state.inside().inner.unknowns.size(), 0);
  Sites again(data, {150, 250}, options);
  again.input.resume = &keep.state;
  const FitResult resumed = fit_distributed(again.input, options);
  EXPECT_EQ(resumed.W, whole.W);
  EXPECT_EQ(resumed.model.predict(data.X), whole.model.predict(data.X));
}

TEST(Distributed, LocalKnotsGoOnFromAStateAsWell) {
  const PlacedData data("square");
  const FitOptions options = options_for("square");
  const FitInput input{.X = data.X, .Y = data.Y};
  Keep keep;
  const FitResult whole = fit(input, options, &keep);
  FitInput again = input;
  again.resume = &keep.state;
  EXPECT_EQ(fit(again, options).W, whole.W);
  OptimizerState other = keep.state.inside();
  other.inner.unknowns.conservativeResize(3, 1);
  keep.state = FitState(other);
  EXPECT_THROW(fit(again, options), InvalidArgument);
}

TEST(Distributed, AlphaStaysWithTheRows) {
  const PlacedData data("square");
  const FitOptions options = options_for("square");
  const FitResult local = fit({.X = data.X, .Y = data.Y, .weights = &data.w}, options);
  Sites places(data, {300, 100}, options);
  const FitResult found = fit_distributed(places.input, options);
  EXPECT_EQ(found.alpha.size(), 0);
  const auto rows = static_cast<double>((data.w.array() > 0).count());
  const Matrix n_lambda = Matrix::Constant(1, 1, rows * found.regularization);
  Matrix alpha(400, data.Y.cols());
  alpha << places.shards[0].answer("alpha", {n_lambda})[0],
      places.shards[1].answer("alpha", {n_lambda})[0];
  EXPECT_LE((alpha - local.alpha).norm(), 1e-6 * local.alpha.norm());
}

TEST(Distributed, BadInput) {
  const PlacedData data("square");
  FitOptions options = options_for("square");
  EXPECT_THROW(RowShard(data.X, data.Y.topRows(3), data.w, options, 0), InvalidArgument);
  EXPECT_THROW(RowShard(data.X, data.Y, data.w.head(3), options, 0), InvalidArgument);
  EXPECT_THROW(RowShard(data.X, data.Y, -data.w, options, 0), InvalidArgument);
  Matrix bad = data.X;
  bad(3, 1) = NAN;
  EXPECT_THROW(RowShard(bad, data.Y, data.w, options, 0), InvalidArgument);
  Sites places(data, {400}, options);
  EXPECT_THROW(places.shards[0].answer("weather", {}), InvalidArgument);
  const auto refuse = [&](const auto& change) {
    FitOptions other = options;
    change(other);
    EXPECT_THROW(fit_distributed(places.input, other), InvalidArgument);
  };
  refuse([](FitOptions& o) { o.kernel = "exponential"; });
  refuse([](FitOptions& o) { o.kernel_operator = "sorted"; });
  refuse([](FitOptions& o) { o.inner_solver = "cholesky"; });
  refuse([](FitOptions& o) { o.preconditioner = "never"; });
  refuse([](FitOptions& o) { o.regularization_rule = "theory"; });
  refuse([](FitOptions& o) { o.early_stopping = true; });
  refuse([](FitOptions& o) { o.init = Matrix::Ones(2, 2); });
  const auto refuse_validation = [&](const Matrix& X, const Matrix& Y) {
    const MatrixView X_view = X, Y_view = Y;
    Sites fresh(data, {400}, options);
    fresh.input.validation_X = &X_view;
    fresh.input.validation_Y = &Y_view;
    EXPECT_THROW(fit_distributed(fresh.input, options), InvalidArgument);
  };
  refuse_validation(data.X.leftCols(3), data.Y);
  refuse_validation(data.X, data.Y.topRows(399));
  refuse_validation(data.X, data.Y.replicate(1, 2));
  refuse_validation(bad, data.Y);
  Sites empty(data, {400}, options);
  empty.shards.clear();
  EXPECT_THROW(fit_distributed(empty.input, options), InvalidArgument);
}

// An answer that does not come ends the fit.
TEST(Distributed, WhatAskThrowsArrives) {
  const PlacedData data("square");
  const FitOptions options = options_for("square");
  Sites places(data, {400}, options);
  const Ask ask = places.input.ask;
  places.input.ask = [&](const std::string& question, const Message& argument) {
    if (question == "product") throw std::runtime_error("a worker died");
    return ask(question, argument);
  };
  EXPECT_THROW(fit_distributed(places.input, options), std::runtime_error);
}

}  // namespace
}  // namespace bkernn
