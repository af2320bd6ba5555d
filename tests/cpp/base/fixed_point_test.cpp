// Sums in quanta: the same in any order, and near the true ones.
#include "base/fixed_point.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/rng.hpp"
#include "loops/projections.hpp"

namespace bkernn {
namespace {

struct Terms {
  explicit Terms(double scale) {
    Rng rng(3);
    for (int i = 0; i < 5000; ++i) {
      x.push_back(scale * rng.normal() * std::exp(3 * rng.normal()));
      largest = std::max(largest, std::abs(x.back()));
    }
  }
  double sum(const FixedPoint& quantum) const {
    std::uint64_t total = 0;
    for (const double term : x) total += quantum(term);
    return quantum.value(total);
  }
  std::vector<double> x;
  double largest = 0;
};

class FixedPointScale : public testing::TestWithParam<double> {};

TEST_P(FixedPointScale, SumsDoNotDependOnTheOrder) {
  Terms terms(GetParam());
  const auto count = static_cast<double>(terms.x.size());
  const FixedPoint quantum(FixedPoint::quantum_for(terms.largest, count));
  const double forwards = terms.sum(quantum);
  const double plain = std::accumulate(terms.x.begin(), terms.x.end(), 0.0);
  long double exact = 0;
  for (const double term : terms.x) exact += term;
  EXPECT_NEAR(forwards, static_cast<double>(exact), 1e-13 * terms.largest * count);
  std::sort(terms.x.begin(), terms.x.end());
  EXPECT_EQ(terms.sum(quantum), forwards);
  EXPECT_NE(std::accumulate(terms.x.begin(), terms.x.end(), 0.0), plain);

  // Sums of parts, as doubles.
  const std::size_t half = terms.x.size() / 3;
  Terms left = terms, right = terms;
  left.x.resize(half);
  right.x.erase(right.x.begin(), right.x.begin() + static_cast<std::ptrdiff_t>(half));
  EXPECT_EQ(left.sum(quantum) + right.sum(quantum), forwards);
}

INSTANTIATE_TEST_SUITE_P(All, FixedPointScale, testing::Values(1e-200, 1e-12, 1.0, 1e12, 1e200));

TEST(FixedPoint, RoundsToUnits) {
  const FixedPoint quantum(0.25);
  EXPECT_EQ(quantum.rounded(0.3), 0.25);
  EXPECT_EQ(quantum.rounded(-7.9), -8.0);
  EXPECT_EQ(quantum.value(quantum(-7.9)), -8.0);
  EXPECT_EQ(quantum.value(quantum(3.0) + quantum(-5.0)), -2.0);
  EXPECT_EQ(FixedPoint(FixedPoint::quantum_for(0, 10)).value(0), 0.0);
}

// Any number of columns, any number of rows at a time. The quantum is so small that a product with
// all its digits would often be rounded otherwise than one that is a double.
TEST(FixedPoint, ProductsAreSummedInUnits) {
  constexpr Index n = 1001;
  Rng rng(5);
  for (const Index d : {1, 3, 4, 7}) {
    const Matrix X = rng.normal_matrix(n, d), r = rng.normal_matrix(n, 1);
    const FixedPoint quantum(FixedPoint::quantum_for(30, 1));
    std::vector<std::uint64_t> whole(d, 0), parts(d, 0);
    loops::add_products(n, d, X.data(), n, r.data(), quantum, whole.data());
    for (Index begin = 0, rows = 0; begin < n; begin += rows) {
      rows = std::min<Index>(13, n - begin);
      loops::add_products(rows, d, X.data() + begin, n, r.data() + begin, quantum, parts.data());
    }
    EXPECT_EQ(whole, parts);
    for (Index a = 0; a < d; ++a)
      EXPECT_NEAR(quantum.value(whole[a]), X.col(a).dot(r.col(0)), 1e-11);
  }
}

}  // namespace
}  // namespace bkernn
