// Sums of rows in several blocks: none is forgotten.
#include "knots/knot_tables.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "knots/knot_layout.hpp"

namespace bkernn {
namespace {

TEST(KnotTables, AddUpTheRowsOfAllBlocks) {
  constexpr Index n = 26'000, knots = 4;
  KnotTables tables(n);
  ASSERT_EQ(tables.blocks(), 3);
  Rng rng(1);
  const Vector v = rng.normal_matrix(n, 1);
  const Places place = (2.99 * rng.uniform_matrix(n, 2)).cast<float>();
  Matrix want = Matrix::Zero(2 * knots, 2);
  for (Index a = 0; a < 2; ++a) {
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<Index>(place(i, a));
      want(2 * k, a) += v(i);
      want(2 * k + 1, a) += static_cast<double>(place(i, a)) * v(i);
    }
  }
  EXPECT_TRUE(tables.scatter(place, v.data(), knots).isApprox(want, 1e-12));
}

}  // namespace
}  // namespace bkernn
