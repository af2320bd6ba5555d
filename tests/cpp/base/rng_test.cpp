#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// numpy.random.RandomState(0).rand(4).
TEST(Rng, UniformIsThatOfNumpy) {
  Rng rng(0);
  for (const double expected :
       {0.5488135039273248, 0.7151893663724195, 0.6027633760716439, 0.5448831829968969}) {
    EXPECT_EQ(rng.uniform(), expected);
  }
}

// randn(5), then rand(), then randn(): the second value of the third pair waits.
TEST(Rng, NormalIsThatOfNumpyAndKeepsItsSecondValue) {
  Rng rng(0);
  for (const double expected : {1.764052345967664, 0.4001572083672233, 0.9787379841057392,
                                2.240893199201458, 1.8675579901499675}) {
    EXPECT_EQ(rng.normal(), expected);
  }
  EXPECT_EQ(rng.uniform(), 0.4375872112626925);
  EXPECT_EQ(rng.normal(), -0.977277879876411);
}

TEST(Rng, OtherSeedsAreThoseOfNumpy) {
  Rng some(12345);
  EXPECT_EQ(some.uniform(), 0.9296160928171479);
  EXPECT_EQ(some.normal(), -0.9678381828411187);
  Rng largest(0xffffffffu);
  EXPECT_EQ(largest.uniform(), 0.0976320289940138);
  EXPECT_EQ(largest.normal(), 0.0813036681172692);
}

TEST(Rng, LargeSeedsGiveStreamsOfTheirOwn) {
  std::set<double> first;
  const std::uint64_t two32 = std::uint64_t{1} << 32;
  const std::uint64_t seeds[] = {
      0, 1, two32, two32 + 1, 2 * two32, 2 * two32 + 1, ~std::uint64_t{0}};
  for (const std::uint64_t seed : seeds) first.insert(Rng(seed).uniform());
  EXPECT_EQ(first.size(), std::size(seeds));
  EXPECT_EQ(Rng(two32 + 7).uniform(), Rng(two32 + 7).uniform());
}

TEST(Rng, MatricesAreFilledByRows) {
  Rng one(3), other(3);
  const Matrix normals = one.normal_matrix(3, 5);
  const Matrix uniforms = one.uniform_matrix(2, 4);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 5; ++j) EXPECT_EQ(normals(i, j), other.normal());
  }
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(uniforms(i, j), other.uniform());
  }
}

TEST(Rng, IndexIsUniform) {
  Rng rng(1);
  EXPECT_EQ(rng.index(1), 0);
  constexpr Index kValues = 6;
  constexpr int kDraws = 60000;
  Eigen::ArrayXd counts = Eigen::ArrayXd::Zero(kValues);
  for (int t = 0; t < kDraws; ++t) {
    const Index i = rng.index(kValues);
    ASSERT_GE(i, 0);
    ASSERT_LT(i, kValues);
    ++counts(i);
  }
  // Five standard deviations of a count.
  EXPECT_LT((counts - 1e4).abs().maxCoeff(), 5 * std::sqrt(1e4 * 5 / 6));
}

TEST(Rng, IndexReachesBeyond32Bits) {
  Rng rng(1);
  const Index n = Index{3} << 40;
  Index largest = 0;
  for (int t = 0; t < 200; ++t) {
    const Index i = rng.index(n);
    ASSERT_LT(i, n);
    largest = std::max(largest, i);
  }
  EXPECT_GT(largest, n / 2);
}

TEST(Rng, IndexOfNothingIsRefused) {
  EXPECT_THROW(Rng(0).index(0), InvalidArgument);
}

TEST(Rng, ShufflesToEveryOrderEquallyOften) {
  Rng rng(2);
  std::vector<int> counts(27, 0);
  constexpr int kDraws = 30000;
  for (int t = 0; t < kDraws; ++t) {
    std::vector<Index> v{0, 1, 2};
    rng.shuffle(v);
    ++counts[9 * v[0] + 3 * v[1] + v[2]];
  }
  const int seen =
      static_cast<int>(std::count_if(counts.begin(), counts.end(), [](int c) { return c > 0; }));
  EXPECT_EQ(seen, 6);
  EXPECT_LT(*std::max_element(counts.begin(), counts.end()), 5000 + 5 * 65);
}

TEST(Rng, PoissonHasItsMeanAndVariance) {
  for (const double mean : {0.0, 0.3, 4.0, 20.0}) {
    Rng rng(5);
    constexpr int kDraws = 20000;
    Vector counts(kDraws);
    for (double& c : counts) c = rng.poisson(mean);
    EXPECT_NEAR(counts.mean(), mean, 5 * std::sqrt(mean / kDraws));
    const double variance = (counts.array() - counts.mean()).square().mean();
    EXPECT_NEAR(variance, mean, 0.1 * mean);
  }
  EXPECT_THROW(Rng(0).poisson(-1), InvalidArgument);
}

// scipy.stats.ortho_group.rvs(3, random_state=RandomState(0)) and (4, RandomState(7)).
TEST(RandomOrthogonal, IsThatOfScipy) {
  Rng rng(0);
  Matrix expected3(3, 3);
  expected3 << 0.5868400264958538, -0.48538278380679944, 0.6480913025849886,  //
      0.74546870868075, 0.6363116428752035, -0.19845376670477816,             //
      0.3160619997408744, -0.5995924001564907, -0.7352508184248272;
  EXPECT_LT((random_orthogonal(3, rng) - expected3).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(rng.normal(), 0.41059850193837233);

  Rng other(7);
  Matrix expected4(4, 4);
  expected4 << 0.7739386085562299, -0.45001397424658907, 0.19683990427197492,
      -0.39970051945805257,                                                                  //
      -0.3611764019085731, -0.06223973120792747, -0.41408453553348906, -0.8331937469733898,  //
      0.46589343132656946, 0.8427259514558716, -0.2205364200044856, -0.1553060489522426,     //
      0.2313308183904144, -0.2888366486177811, -0.8609016999459462, 0.34915284032676847;
  EXPECT_LT((random_orthogonal(4, other) - expected4).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(RandomOrthogonal, IsOrthogonal) {
  Rng rng(11);
  for (const Index d : {1, 2, 17, 60}) {
    const Matrix Q = random_orthogonal(d, rng);
    EXPECT_LT((Q.transpose() * Q - Matrix::Identity(d, d)).norm(), 1e-13 * static_cast<double>(d));
  }
  EXPECT_THROW(random_orthogonal(0, rng), InvalidArgument);
}

// Without the signs of R the diagonal of Q would be mostly negative.
TEST(RandomOrthogonal, HasNoPreferredSign) {
  Rng rng(12);
  double sum = 0;
  for (int t = 0; t < 4000; ++t) sum += random_orthogonal(2, rng)(0, 0);
  EXPECT_LT(std::abs(sum), 5 * std::sqrt(4000 * 0.5));
}

}  // namespace
}  // namespace bkernn
