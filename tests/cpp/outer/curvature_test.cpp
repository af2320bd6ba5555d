// The limited-memory matrix against the recursion of BFGS, written out.
#include "outer/curvature.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace bkernn {
namespace {

// B ← B − Bs(Bs)ᵀ/sᵀBs + yyᵀ/sᵀy, from σI, pair by pair.
Matrix dense_bfgs(const CurvaturePairs& pairs, double sigma) {
  const Index size = pairs.steps.rows();
  Matrix B = sigma * Matrix::Identity(size, size);
  for (Index k = 0; k < pairs.size(); ++k) {
    const Vector s = pairs.steps.col(k), y = pairs.changes.col(k), Bs = B * s;
    B += y * y.transpose() / s.dot(y) - Bs * Bs.transpose() / s.dot(Bs);
  }
  return B;
}

// Pairs of a random quadratic.
CurvaturePairs draw_pairs(Rng& rng, Index d, Index m, int count) {
  const Matrix root = rng.normal_matrix(d * m, d * m);
  const Matrix H = root * root.transpose() + Matrix::Identity(d * m, d * m);
  CurvaturePairs pairs;
  for (int k = 0; k < count; ++k) {
    const Matrix step = rng.normal_matrix(d, m);
    const Matrix change = (H * step.reshaped()).reshaped(d, m);
    pairs.add(step, change);
  }
  return pairs;
}

TEST(Curvature, IsTheMatrixOfBfgs) {
  Rng rng(1);
  for (const int count : {1, 2, 5, 12}) {
    const CurvaturePairs pairs = draw_pairs(rng, 3, 5, count);
    ASSERT_EQ(pairs.size(), count);
    const Curvature B(pairs);
    const Matrix want = dense_bfgs(pairs, pairs.sigma());
    const Matrix V = rng.normal_matrix(3, 5);
    const Matrix product = (want * V.reshaped()).reshaped(3, 5);
    EXPECT_LE((B.times(V) - product).norm(), 1e-9 * product.norm()) << count;
    // The newest pair is met exactly.
    const Matrix newest = pairs.steps.rightCols(1).reshaped(3, 5);
    EXPECT_LE((B.times(newest).reshaped() - pairs.changes.rightCols(1)).norm(),
              1e-9 * pairs.changes.rightCols(1).norm());
  }
}

TEST(Curvature, KeepsTheNewestPairsThatCurveUpwards) {
  Rng rng(2);
  CurvaturePairs pairs = draw_pairs(rng, 5, 10, 30);
  EXPECT_EQ(pairs.size(), CurvaturePairs::kMost);
  const Matrix before = pairs.steps;
  const Matrix step = rng.normal_matrix(5, 10);
  pairs.add(step, -step);
  EXPECT_EQ(pairs.steps, before);
  pairs.add(step, 2 * step);
  EXPECT_EQ(pairs.size(), CurvaturePairs::kMost);
  EXPECT_EQ(pairs.steps.leftCols(1), before.col(1));
  EXPECT_EQ(pairs.changes.rightCols(1), 2 * step.reshaped());
  pairs.forget();
  EXPECT_EQ(pairs.size(), 0);
  // No more pairs than numbers in W.
  EXPECT_EQ(draw_pairs(rng, 1, 2, 9).size(), 2);
}

}  // namespace
}  // namespace bkernn
