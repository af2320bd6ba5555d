// The minimum of the model: exact without a penalty, and beaten by no other point with one.
#include "outer/local_model.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace bkernn {
namespace {

struct Problem {
  explicit Problem(std::uint64_t seed) : rng(seed), W(rng.normal_matrix(4, 6)) {
    gradient = rng.normal_matrix(4, 6);
    const Vector scales = rng.normal_matrix(24, 1).array().exp();
    for (int k = 0; k < 8; ++k) {
      const Matrix step = rng.normal_matrix(4, 6);
      pairs.add(step, step.cwiseProduct(scales.reshaped(4, 6)));
    }
  }
  LocalModel model(const Penalty& penalty, double weight) const {
    return {W, penalty.value(W), gradient, pairs, penalty, weight};
  }
  double value(const Penalty& penalty, double weight, const Matrix& U) const {
    const Matrix D = U - W;
    return gradient.cwiseProduct(D).sum() + 0.5 * D.cwiseProduct(Curvature(pairs).times(D)).sum() +
           weight * penalty.value(U);
  }
  Rng rng;
  Matrix W, gradient;
  CurvaturePairs pairs;
};

TEST(LocalModel, WithoutAPenaltyIsMinimizedByANewtonStep) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Problem problem(seed);
    const auto penalty = make_penalty("feature");
    const ModelMinimum found = minimize(problem.model(*penalty, 0), 2000);
    const Matrix left = problem.gradient + Curvature(problem.pairs).times(found.U - problem.W);
    EXPECT_LE(left.norm(), 0.11 * problem.gradient.norm());
    EXPECT_GT(found.decrease, 0);
  }
}

// Where the curvature is the same in all directions, the first step leads to the minimum.
TEST(LocalModel, OneStepIsEnoughForABowl) {
  Problem problem(5);
  const double curvature = 8, weight = 0.3;
  const Matrix step = problem.rng.normal_matrix(4, 6);
  problem.pairs = {};
  problem.pairs.add(step, curvature * step);
  const auto penalty = make_penalty("basic");
  Matrix U = problem.W - problem.gradient / curvature;
  penalty->prox(U, weight / curvature);
  const ModelMinimum found = minimize(problem.model(*penalty, weight), 1);
  EXPECT_TRUE(found.U.isApprox(U, 1e-12));
}

class LocalModelTest : public testing::TestWithParam<std::string> {};

TEST_P(LocalModelTest, NoPointNearTheMinimumIsMuchLower) {
  const auto penalty = make_penalty(GetParam());
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const double weight : {0.1, 1.0, 10.0}) {
      Problem problem(seed);
      const ModelMinimum found = minimize(problem.model(*penalty, weight), 2000);
      const double at_W = problem.value(*penalty, weight, problem.W);
      const double lowest = problem.value(*penalty, weight, found.U);
      EXPECT_NEAR(found.decrease, at_W - lowest, 1e-9 * std::abs(at_W));
      EXPECT_NEAR(found.penalty, penalty->value(found.U), 1e-9 * (1 + found.penalty));
      EXPECT_LE(found.slope, 0);
      const double share = 0.05 * found.decrease;
      for (int tries = 0; tries < 200; ++tries) {
        const double size = std::pow(10, -3 + 3 * problem.rng.uniform());
        const Matrix U = found.U + size * problem.rng.normal_matrix(4, 6);
        EXPECT_GT(problem.value(*penalty, weight, U), lowest - share) << seed << " " << weight;
      }
      for (const double t : {0.0, 0.5, 0.9, 1.1, 1.5})
        EXPECT_GT(problem.value(*penalty, weight, t * found.U), lowest - share);
    }
  }
}

// At the minimum itself there is nothing to gain.
TEST_P(LocalModelTest, PromisesNothingAtAStationaryPoint) {
  const auto penalty = make_penalty(GetParam());
  Problem problem(4);
  Matrix U = problem.W;
  const double weight = 0.5, step = 0.1;
  penalty->prox(U, weight * step);
  problem.gradient = (problem.W - U) / step;  // −∂Ω at U
  problem.W = U;
  problem.gradient *= -1;
  const ModelMinimum found = minimize(problem.model(*penalty, weight), 200);
  problem.gradient *= 2;
  const ModelMinimum other = minimize(problem.model(*penalty, weight), 200);
  EXPECT_LE(found.decrease, 1e-3 * (other.decrease + 1e-12));
}

INSTANTIATE_TEST_SUITE_P(All, LocalModelTest, testing::ValuesIn(penalty_names()),
                         [](const auto& one) { return one.param; });

TEST(LocalModel, SpendsAboutAsMuchAsAnEvaluation) {
  EXPECT_EQ(proxes_per_evaluation(80, 256, 50), 10);
  EXPECT_EQ(proxes_per_evaluation(100000, 20, 50), 100);
  const int some = proxes_per_evaluation(1000, 20, 50);
  EXPECT_GT(some, 10);
  EXPECT_LT(some, 100);
}

}  // namespace
}  // namespace bkernn
