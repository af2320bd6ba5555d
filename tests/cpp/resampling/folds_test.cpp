#include "bkernn/cross_validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "cross_validate_problem.hpp"

namespace bkernn {
namespace {

std::vector<int> folds_of(const FitInput& input, const FitOptions& fit_options,
                          CrossValidateOptions options) {
  options.lambdas = {1e3};
  options.refit = false;
  return cross_validate(input, fit_options, options).fold_of_row;
}

TEST(Folds, AreEqualInSizeAndSeeded) {
  const SimulatedData data("multi_index", 20);
  CrossValidateOptions options = small_path();
  const std::vector<int> first = folds_of(data.input(), small_fit(), options);
  EXPECT_EQ(first, folds_of(data.input(), small_fit(), options));
  for (const int fold : {0, 1, 2}) {
    const auto size = std::count(first.begin(), first.end(), fold);
    EXPECT_TRUE(size == 6 || size == 7);
  }
  options.seed = 1;
  EXPECT_NE(first, folds_of(data.input(), small_fit(), options));
  options.folds = "contiguous";
  const std::vector<int> blocks = folds_of(data.input(), small_fit(), options);
  EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
  EXPECT_EQ(blocks.back(), 2);
}

TEST(Folds, KeepGroupsTogether) {
  const SimulatedData data("multi_index", 40);
  CrossValidateOptions options = small_path();
  for (Index i = 0; i < 40; ++i) options.groups.push_back(i * i % 7);
  for (const char* kind : {"shuffled", "contiguous"}) {
    options.folds = kind;
    const std::vector<int> folds = folds_of(data.input(), small_fit(), options);
    std::map<Index, std::set<int>> seen;
    for (Index i = 0; i < 40; ++i) seen[options.groups[i]].insert(folds[i]);
    for (const auto& [group, where] : seen) EXPECT_EQ(where.size(), 1u) << kind << " " << group;
  }
}

TEST(Folds, AreStratifiedForClasses) {
  const SimulatedData data("logistic", 61);
  FitOptions fit_options = small_fit();
  fit_options.loss = "logistic";
  const std::vector<int> folds = folds_of(data.input(), fit_options, small_path());
  const double ones = data.set.train.Y.sum();
  for (int fold = 0; fold < 3; ++fold) {
    double here = 0;
    for (Index i = 0; i < 61; ++i) here += folds[i] == fold ? data.set.train.Y(i, 0) : 0;
    EXPECT_LE(std::abs(here - ones / 3), 1);
  }
}

TEST(Folds, LeaveOutRowsOfWeightZero) {
  const SimulatedData data("multi_index", 40);
  Vector weights = Vector::Ones(40);
  weights.head(10).setZero();
  FitInput input = data.input();
  input.weights = &weights;
  CrossValidateOptions options = small_path();
  const CrossValidateResult with = cross_validate(input, small_fit(), options);
  for (Index i = 0; i < 10; ++i) EXPECT_EQ(with.fold_of_row[i], -1);

  // The same folds without those rows give the same scores, whatever the rows say.
  const Matrix X = data.set.train.X.bottomRows(30), Y = data.set.train.Y.bottomRows(30);
  options.fold_of_row.assign(with.fold_of_row.begin() + 10, with.fold_of_row.end());
  const CrossValidateResult without = cross_validate({.X = X, .Y = Y}, small_fit(), options);
  EXPECT_EQ(with.paths[0].scores, without.paths[0].scores);
}

// A copy in another fold would be no row to judge by; blocks and groups are the caller's word.
TEST(Folds, KeepEqualRowsTogether) {
  const SimulatedData data("multi_index", 40);
  Matrix X = data.set.train.X, Y = data.set.train.Y;
  X.bottomRows(20) = X.topRows(20).eval();
  Y.bottomRows(20) = Y.topRows(20).eval();
  CrossValidateOptions options = small_path();
  const std::vector<int> folds = folds_of({.X = X, .Y = Y}, small_fit(), options);
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(folds[i], folds[i + 20]);
  options.folds = "contiguous";
  const std::vector<int> blocks = folds_of({.X = X, .Y = Y}, small_fit(), options);
  EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
}

TEST(Folds, WeightTwoIsARepeatedRow) {
  const SimulatedData data("multi_index", 40);
  const Index extra = 5;
  Vector weights = Vector::Ones(40);
  weights(extra) = 2;
  FitInput weighted = data.input();
  weighted.weights = &weights;
  CrossValidateOptions options = small_path();
  options.lambdas = {0.3, 0.1};
  options.patience = 0;
  for (Index i = 0; i < 40; ++i) options.fold_of_row.push_back(static_cast<int>(i % 3));
  const Matrix a = cross_validate(weighted, small_fit(), options).paths[0].scores;

  Matrix X(41, 4), Y(41, 1);
  X << data.set.train.X, data.set.train.X.row(extra);
  Y << data.set.train.Y, data.set.train.Y.row(extra);
  options.fold_of_row.push_back(options.fold_of_row[extra]);
  const Matrix b = cross_validate({.X = X, .Y = Y}, small_fit(), options).paths[0].scores;
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace bkernn
