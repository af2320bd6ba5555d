// Where rows stand between knots, how unknowns are numbered, and the stiffness of the functions.
#include "knots/knot_layout.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace bkernn {
namespace {

const KnotLayout& example() {
  static const KnotLayout layout(Knots{Vector{{0, 1, 3}}, Vector{{5}}, Vector{{-1, 0, 0.5, 2}}});
  return layout;
}

TEST(KnotLayout, NumbersTheUnknownsOfAllParticles) {
  const KnotLayout& layout = example();
  EXPECT_EQ(layout.particles(), 3);
  EXPECT_EQ(layout.unknowns(), 5);
  EXPECT_EQ(layout.most_knots(), 4);
  EXPECT_EQ(layout.first(0), 0);
  EXPECT_EQ(layout.first(1), 2);
  EXPECT_EQ(layout.unknowns(1), 0);
  EXPECT_EQ(layout.first(2), 2);
  EXPECT_EQ(KnotLayout().unknowns(), 0);
}

TEST(KnotLayout, PlacesAreSegmentAndFraction) {
  const Matrix P{{0, 5, -1}, {2, 5, 0.25}, {3, 5, 2}};
  const Places want{{0, 0, 0}, {1.5F, 0, 1.5F}, {2, 0, 3}};
  EXPECT_EQ(example().place(P), want);
}

// P_j is the inverse of the Brownian kernel min(s, t) of the knots, measured from the first.
TEST(KnotLayout, StiffnessInvertsTheBrownianKernel) {
  const KnotLayout& layout = example();
  const Matrix x = Rng(1).normal_matrix(5, 2);
  Matrix y = Matrix::Zero(5, 2);
  layout.add_stiffness(3.0, x, y);
  for (Index a = 0; a < layout.particles(); ++a) {
    const Index Q = layout.unknowns(a);
    const Vector t = layout.knots(a).tail(Q).array() - layout.knots(a)(0);
    Matrix K(Q, Q);
    for (Index i = 0; i < Q; ++i) {
      for (Index k = 0; k < Q; ++k) K(i, k) = std::min(t(i), t(k));
    }
    const Matrix back = K * y.middleRows(layout.first(a), Q);
    EXPECT_LE((back - 3.0 * x.middleRows(layout.first(a), Q)).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace bkernn
