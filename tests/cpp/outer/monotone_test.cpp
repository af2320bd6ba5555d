// What each optimizer promises of the objective: Algorithm 1 never lets it increase; spectral steps
// may, within a window, and return the best W that they saw.
#include <gtest/gtest.h>

#include <algorithm>

#include "bkernn/fit.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/simulate.hpp"
#include "by_rule.hpp"

namespace bkernn {
namespace {

std::vector<double> objectives(const FitReport& report) {
  std::vector<double> values = {report.initial_objective};
  for (const IterationRecord& record : report.iterations) values.push_back(record.objective);
  return values;
}

FitResult run(const std::string& optimizer, const std::string& penalty, double lambda,
              std::uint64_t seed) {
  const Simulated data = simulate({.n = 60, .d = 4, .noise = 0.3, .seed = seed});
  FitOptions options = by_rule();
  options.optimizer = optimizer;
  options.penalty = penalty;
  options.regularization = lambda;
  options.n_particles = 8;
  options.max_iter = 30;
  options.tol = 0;
  options.seed = seed;
  return fit(data.train.X, data.train.Y, options);
}

class Monotone : public testing::TestWithParam<std::string> {};

TEST_P(Monotone, ThePaperNeverIncreasesTheObjective) {
  for (const double lambda : {1e-6, 1e-3, 0.1, 10.0}) {
    for (const std::uint64_t seed : {0, 1, 2}) {
      const std::vector<double> path = objectives(run("paper", GetParam(), lambda, seed).report);
      for (std::size_t i = 1; i < path.size(); ++i) {
        EXPECT_LE(path[i], path[i - 1] * (1 + 1e-9)) << lambda << " " << seed << " step " << i;
      }
      if (lambda == 1e-3) {
        EXPECT_LT(path.back(), 0.99 * path.front());
      }
    }
  }
}

TEST_P(Monotone, SpectralStepsReturnTheBest) {
  for (const double lambda : {1e-6, 1e-3, 0.1, 10.0}) {
    for (const std::uint64_t seed : {0, 1, 2}) {
      const FitReport report = run("spectral", GetParam(), lambda, seed).report;
      const std::vector<double> path = objectives(report);
      const double best = *std::min_element(path.begin(), path.end());
      EXPECT_LE(report.objective, best * (1 + 1e-3)) << lambda << " " << seed;
      EXPECT_LE(report.objective, report.initial_objective * (1 + 1e-9)) << lambda << " " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Penalties, Monotone, testing::ValuesIn(penalty_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace bkernn
