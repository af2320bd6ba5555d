// A small problem for the outer loop, and what is asked of its fits.
#pragma once

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "bkernn/fit.hpp"
#include "by_rule.hpp"
#include "naive.hpp"

namespace bkernn {

struct Data {
  explicit Data(const std::string& loss, std::uint64_t seed = 1, Index n = 80) : rng(seed) {
    X = rng.normal_matrix(n, 4);
    Y = naive::targets(loss, X, naive::outputs(loss), rng);
  }
  Rng rng;
  Matrix X, Y;
};

inline FitOptions quick(const std::string& optimizer, const std::string& loss = "square") {
  FitOptions options = by_rule();
  options.n_particles = 8;
  options.optimizer = optimizer;
  options.loss = loss;
  options.max_iter = 12;
  options.tol = 0;
  return options;
}

// Keeps every state; stops after `limit` iterations.
class Recorder : public Observer {
 public:
  explicit Recorder(int limit = 1 << 30) : limit_(limit) {}
  bool on_iteration(const IterationRecord& record, const FitState& state) override {
    records.push_back(record);
    states.push_back(state);
    return static_cast<int>(records.size()) < limit_;
  }
  std::vector<IterationRecord> records;
  std::vector<FitState> states;

 private:
  int limit_;
};

inline void expect_same_bits(const FitResult& a, const FitResult& b, const Matrix& X) {
  EXPECT_TRUE(a.W == b.W) << "W";
  EXPECT_TRUE(a.alpha == b.alpha) << "alpha";
  EXPECT_TRUE(a.intercept == b.intercept) << "intercept";
  EXPECT_TRUE(a.model.predict(X) == b.model.predict(X)) << "predictions";
  EXPECT_EQ(a.report.objective, b.report.objective);
  EXPECT_EQ(a.report.initial_objective, b.report.initial_objective);
}

}  // namespace bkernn
