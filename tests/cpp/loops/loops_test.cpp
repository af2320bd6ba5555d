// The leaf loops against the plain way to do the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loops/exponential.hpp"
#include "loops/knot_passes.hpp"
#include "loops/projections.hpp"
#include "loops/segments.hpp"
#include "loops/sorted_scans.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

void expect_sorted(const Vector& p, const std::string& what) {
  const Index n = p.size();
  std::vector<std::int32_t> order(n), want(n);
  Vector sorted(n);
  loops::sort_projections(n, p.data(), order.data(), sorted.data());
  std::iota(want.begin(), want.end(), 0);
  std::stable_sort(want.begin(), want.end(),
                   [&](std::int32_t a, std::int32_t b) { return p(a) < p(b); });
  ASSERT_EQ(order, want) << what << ", n = " << n;
  for (Index k = 0; k < n; ++k) ASSERT_EQ(sorted(k), p(order[k])) << what << ", n = " << n;
}

TEST(SortProjections, EqualsAStableSort) {
  Rng rng(1);
  for (const Index n : {1, 2, 3, 7, 100, 255, 256, 257, 2000, 8192, 8193, 30000}) {
    const Vector normal = rng.normal_matrix(n, 1), uniform = rng.uniform_matrix(n, 1);
    expect_sorted(normal, "normal");
    expect_sorted(uniform, "uniform");
    expect_sorted(uniform.array() - 1e6, "far from zero");
    expect_sorted(1e-12 * uniform.array() + 1, "within rounding");
    expect_sorted(normal.array().cube().exp(), "heavy tails");
    Vector outlier = normal;
    outlier(n / 2) = 1e6;
    expect_sorted(outlier, "outlier");
    outlier(n / 3) = -1e9;
    expect_sorted(outlier, "two outliers");
    expect_sorted(Vector::Constant(n, 3.25), "all equal");
    expect_sorted(Vector::Zero(n), "all zero");
    expect_sorted((3 * normal.array()).round(), "few distinct values");
    expect_sorted((uniform.array() < 0.5).cast<double>(), "two values");
    expect_sorted(Vector::LinSpaced(n, -1, 1), "sorted");
    expect_sorted(Vector::LinSpaced(n, 1, -1), "reversed");
    expect_sorted(1e-300 * normal, "tiny");
    expect_sorted(5e-324 * (10 * uniform.array()).round(), "denormal");
    expect_sorted(1e150 * normal, "huge");
    Vector zeros = normal.cwiseMax(0);
    for (Index i = 0; i < n; i += 2) zeros(i) *= -1;
    expect_sorted(zeros, "zeros of both signs");
  }
}

TEST(SortProjections, ALargeSet) {
  Rng rng(2);
  const Index n = 1'200'000;
  const Vector p = rng.normal_matrix(n, 1);
  expect_sorted(p, "normal");
  expect_sorted((100 * p.array()).round(), "few distinct values");
}

TEST(Project, EqualsTheMatrixProduct) {
  Rng rng(3);
  for (const Index n : {1, 5, 255, 256, 700}) {
    for (const Index d : {1, 3, 4, 7, 64, 65, 131}) {
      for (const Index m : {1, 2, 5}) {
        const Matrix X = rng.normal_matrix(n + 3, d), W = rng.normal_matrix(d + 2, m);
        Matrix P = Matrix::Constant(n + 1, m, 77);
        loops::project(n, d, m, X.data(), X.rows(), W.data(), W.rows(), P.data(), P.rows());
        const Matrix want = X.topRows(n) * W.topRows(d);
        ASSERT_LE((P.topRows(n) - want).norm(), 1e-13 * want.norm() + 1e-14);
        ASSERT_EQ(P.row(n), RowVector::Constant(m, 77)) << "wrote past the rows";
        // One row alone: the same bits.
        RowVector alone(m);
        loops::project(1, d, m, X.data() + n / 2, X.rows(), W.data(), W.rows(), alone.data(), 1);
        ASSERT_EQ(alone, P.row(n / 2));
      }
    }
  }
}

TEST(FindSegment, IsTheLastKnotNotAbove) {
  Rng rng(4);
  for (Index knots = 2; knots <= 40; ++knots) {
    Vector t = rng.normal_matrix(knots, 1);
    std::sort(t.begin(), t.end());
    const SegmentFinder with_table(knots, t.data(), true);
    const auto expect_found = [&](double p) {
      Index want = 0;
      for (Index k = 0; k < knots; ++k) {
        if (t(k) <= p) want = k;
      }
      EXPECT_EQ(loops::find_segment(knots, t.data(), p), std::min(want, knots - 2)) << knots;
      EXPECT_EQ(with_table(p), std::min(want, knots - 2)) << knots;
      std::int32_t found = -1;
      with_table.find(1, &p, &found);
      EXPECT_EQ(found, std::min(want, knots - 2)) << knots;
    };
    for (const double p : t) {
      expect_found(p);
      expect_found(std::nextafter(p, -10));
      expect_found(std::nextafter(p, 10));
    }
    expect_found(-1e300);
    expect_found(1e300);
  }
}

// Nearly all knots in one cell, or in a few.
TEST(FindSegment, ManyKnotsInOneCell) {
  Rng rng(5);
  for (const double power : {1.0, 9.0, 60.0}) {
    Vector t = rng.normal_matrix(500, 1).array().abs().pow(power);
    std::sort(t.begin(), t.end());
    const Index knots = std::unique(t.begin(), t.end()) - t.begin();
    const SegmentFinder with_table(knots, t.data(), true);
    for (Index k = 0; k < knots; ++k) {
      for (const double p : {t(k), std::nextafter(t(k), -1), std::nextafter(t(k), 1e300)})
        ASSERT_EQ(with_table(p), loops::find_segment(knots, t.data(), p)) << power << " " << k;
    }
    EXPECT_EQ(with_table(INFINITY), knots - 2);
    EXPECT_EQ(with_table(-INFINITY), 0);
  }
}

TEST(InterpolateLinear, PassesThroughTheKnotsAndIsConstantOutside) {
  const Vector t{{-1, 0, 2, 2.5}}, y{{3, -1, 5, 4}};
  const Vector p{{-9, -1, -0.5, 0, 1, 2, 2.25, 2.5, 1e300}}, want{{3, 3, 1, -1, 2, 5, 4.5, 4, 4}};
  Vector out(p.size());
  loops::interpolate_linear({4, t.data(), false}, y.data(), p.size(), p.data(), out.data());
  EXPECT_LE((out - want).norm(), 1e-14);
  loops::interpolate_linear({1, t.data(), false}, y.data(), p.size(), p.data(), out.data());
  EXPECT_EQ(out, Vector::Constant(p.size(), 3));
}

// h_(k) = −½ Σ v_i |p_(k) − p_i| + ½ Σ v_i (p_i − p_(1)): zero at the leftmost projection.
void expect_products(Rng& rng, int lanes, int outputs) {
  const Index n = 37;
  Matrix P = rng.normal_matrix(n, lanes), sorted(n, lanes), gaps = Matrix::Zero(n, lanes);
  P.row(4) = P.row(5);
  Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic> order(n, lanes);
  Matrix v = rng.normal_matrix(n, outputs);
  naive::center_columns(v);
  std::vector<SortedParticle> particles;
  Matrix want = Matrix::Ones(n, outputs);
  for (Index l = 0; l < lanes; ++l) {
    loops::sort_projections(n, P.col(l).data(), order.col(l).data(), sorted.col(l).data());
    gaps.col(l).head(n - 1) = sorted.col(l).tail(n - 1) - sorted.col(l).head(n - 1);
    particles.push_back({order.col(l).data(), gaps.col(l).data()});
    const double low = P.col(l).minCoeff();
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        want.row(i) -= v.row(k) / 2 * (std::abs(P(i, l) - P(k, l)) - std::abs(low - P(k, l)));
      }
    }
  }
  Matrix v_out(2 * outputs, n);  // a column per row of the data
  v_out.topRows(outputs) = v.transpose();
  v_out.bottomRows(outputs).setOnes();
  loops::brownian_product(n, lanes, particles.data(), outputs, v_out.data());
  EXPECT_EQ(v_out.topRows(outputs), v.transpose());
  EXPECT_LE((v_out.bottomRows(outputs) - want.transpose()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BrownianProduct, AddsTheDoubleSum) {
  Rng rng(5);
  for (const int lanes : {1, 2, 3, 4}) {
    for (const int outputs : {1, 2, 4}) expect_products(rng, lanes, outputs);
  }
}

TEST(Gaussian, EqualsTheExponential) {
  const Vector p = Vector::LinSpaced(4001, -36, 36);
  Vector found(p.size());
  for (const double b : {0.0, 1e-9, 0.37, -5.0}) {
    loops::gaussian(p.size(), p.data(), b, found.data());
    for (Index i = 0; i < p.size(); ++i) {
      const double want = std::exp(-0.5 * (p(i) - b) * (p(i) - b));
      ASSERT_NEAR(found(i), want, 4e-16 * want + 1e-300) << p(i) << " " << b;
    }
  }
  const double far = 1e200;
  loops::gaussian(1, &far, 0, found.data());
  EXPECT_LE(found(0), 1e-300);
  EXPECT_GE(found(0), 0);
}

TEST(ExponentialsBelow, EqualTheStandardOnes) {
  const Vector f = Vector::LinSpaced(4001, -690, 0), top = Vector::Constant(4001, 2.5);
  Vector found(f.size());
  loops::exponentials_below(f.size(), f.data(), top.data(), found.data());
  for (Index i = 0; i < f.size(); ++i) {
    const double want = std::exp(f(i) - 2.5);
    ASSERT_NEAR(found(i), want, 4e-16 * want) << f(i);
  }
  const double largest = 3, far = -1e300;
  loops::exponentials_below(1, &largest, &largest, found.data());
  EXPECT_EQ(found(0), 1);
  loops::exponentials_below(1, &far, &largest, found.data());
  EXPECT_LE(found(0), 1e-300);
  EXPECT_GE(found(0), 0);
}

// Each corner of a cell gets its hat, row by row.
TEST(Moments, GiveTheHistogramOfHats) {
  constexpr Index n = 200, wide = 6;
  Rng rng(4);
  const Matrix places = 4.99 * rng.uniform_matrix(n, 2);
  const Eigen::MatrixXf place = places.cast<float>();
  const Vector w = 0.5 + rng.uniform_matrix(n, 1).array();
  Matrix expected = Matrix::Zero(wide, wide);
  const auto hat = [](double p, Index k) {
    return std::max(0.0, 1 - std::abs(p - static_cast<double>(k)));
  };
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < wide; ++k)
      for (Index l = 0; l < wide; ++l)
        expected(k, l) += w(i) * hat(place(i, 0), k) * hat(place(i, 1), l);
  std::vector<std::int32_t> k(n), l(n);
  Vector u(n), v(n);
  loops::split_places(n, place.col(0).data(), k.data(), u.data());
  loops::split_places(n, place.col(1).data(), l.data(), v.data());
  std::vector<loops::Moments> cells(wide * wide);
  loops::add_moments(n, k.data(), u.data(), l.data(), v.data(), w.data(), wide, cells.data());
  Matrix H(wide, wide);
  loops::hats_from_moments(wide, cells.data(), H.data());
  EXPECT_LT((H - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.maxCoeff());
}

}  // namespace
}  // namespace bkernn
