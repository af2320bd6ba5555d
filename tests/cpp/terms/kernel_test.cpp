// Kernels: values, derivatives, and functions stored at knots against their expansions.
#include "bkernn/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loops/projections.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

class KernelTest : public testing::TestWithParam<std::string> {
 protected:
  Vector evaluate(const Vector& t, const Vector& coefficients, const Vector& p) const {
    Vector out = Vector::Constant(p.size(), 99);
    const SegmentFinder knots(t.size(), t.data(), t.size() % 2 == 0);
    kernel->evaluate(knots, coefficients.data(), p.size(), p.data(), out.data());
    return out;
  }

  // Coefficients at the knots of h(p) = Σ v_k k(p, t_k).
  Vector coefficients(const Vector& t, const Vector& v) const {
    return kernel->markov() ? expansion(t, v, t) : v;
  }

  Vector expansion(const Vector& t, const Vector& v, const Vector& p) const {
    Vector h = Vector::Zero(p.size());
    for (Index i = 0; i < p.size(); ++i) {
      for (Index k = 0; k < t.size(); ++k) h(i) += v(k) * naive::kernel(GetParam(), p(i), t(k));
    }
    return h;
  }

  const std::unique_ptr<Kernel> kernel = make_kernel(GetParam());
};

TEST_P(KernelTest, ValuesAndDerivatives) {
  Rng rng(1);
  const Vector p = 2 * rng.normal_matrix(50, 1);
  Vector k(50), left(50), right(50), slope(50);
  for (const double b : {-1.5, 0.0, 0.7, p(3)}) {
    kernel->values(50, p.data(), b, k.data());
    for (Index i = 0; i < 50; ++i) EXPECT_NEAR(k(i), naive::kernel(GetParam(), p(i), b), 1e-15);
    // Symmetric differences see the mean of both sides at a kink.
    const double h = 1e-6;
    kernel->values(50, Vector(p.array() + h).data(), b, right.data());
    kernel->values(50, Vector(p.array() - h).data(), b, left.data());
    kernel->derivatives(50, p.data(), b, slope.data());
    for (Index i = 0; i < 50; ++i)
      EXPECT_NEAR(slope(i), (right(i) - left(i)) / (2 * h), 1e-6) << p(i) << " " << b;
  }
}

TEST_P(KernelTest, GramMatricesArePositive) {
  Rng rng(2);
  const Vector p = rng.normal_matrix(30, 1);
  Matrix K(30, 30);
  for (Index i = 0; i < 30; ++i) kernel->values(30, p.data(), p(i), K.col(i).data());
  EXPECT_LE((K - K.transpose()).norm(), 1e-14);
  EXPECT_GE(naive::symmetric_eigenvalues(K)(0), -1e-12);
  for (int draw = 0; draw < 100; ++draw) {
    const Vector v = rng.normal_matrix(30, 1);
    EXPECT_GE(v.dot(K * v), -1e-12);
  }
}

TEST_P(KernelTest, EvaluateReproducesTheExpansionEverywhere) {
  Rng rng(3);
  for (const Index knots : {1, 2, 3, 20}) {
    for (const double spread : {1e-3, 1.0, 30.0}) {
      Vector t = spread * rng.normal_matrix(knots, 1);
      std::sort(t.begin(), t.end());
      Matrix v = rng.normal_matrix(knots, 1);
      naive::center_columns(v);
      const Vector inside = t(0) + (t(knots - 1) - t(0)) * rng.uniform_matrix(40, 1).array();
      const Vector outside{
          {t(0) - 1, t(0) - 1e-9, t(knots - 1) + 1e-9, t(knots - 1) + 2, -1e4, 1e4}};
      const Vector c = coefficients(t, v);
      for (const Vector& p : {t, inside, outside}) {
        EXPECT_LE((evaluate(t, c, p) - expansion(t, v, p)).norm(),
                  1e-11 * (1 + spread) * (1 + v.norm()))
            << knots << " knots over " << spread;
      }
    }
  }
}

TEST_P(KernelTest, HugeAndTinyGaps) {
  const Vector t{{-1e100, -1e3, 0, 1e-300, 1e-10, 1e5, 1e100}}, c{{1, -2, 3, 3, 4, -5, 6}};
  const Vector p{
      {-1e101, -1e100, -1e50, -500, -1e-20, 0, 5e-301, 5e-11, 1, 4e4, 1e50, 1e100, 1e101}};
  const Vector h = evaluate(t, c, p);
  EXPECT_TRUE(h.allFinite()) << h;
  if (kernel->markov()) {
    EXPECT_LE(h.cwiseAbs().maxCoeff(), 6);
    EXPECT_LE((evaluate(t, c, t) - c).norm(), 1e-12);
  }
}

// The four functions for sorted projections, ties included.
TEST_P(KernelTest, SortedFunctionsEqualTheDoubleSums) {
  const MarkovKernel* const markov = kernel->markov();
  if (markov == nullptr) GTEST_SKIP() << "not Markov";
  Rng rng(4);
  for (const Index n : {1, 2, 31}) {
    Vector p = rng.normal_matrix(n, 1);
    if (n > 10) p.segment(4, 3).setConstant(p(2));
    std::vector<std::int32_t> order(n);
    Vector sorted(n), step(n), at_knots(n);
    loops::sort_projections(n, p.data(), order.data(), sorted.data());
    const SortedParticle particle{order.data(), step.data()};
    markov->steps(n, sorted.data(), step.data());
    Matrix v = rng.normal_matrix(n, 1);
    naive::center_columns(v);
    const Vector h = expansion(p, v, p);
    Vector slope = Vector::Zero(n), got_slope = Vector::Constant(n, 1);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        if (p(i) == p(k)) continue;
        slope(i) += v(i, 0) * v(k, 0) * naive::kernel_slope(GetParam(), p(i) - p(k));
      }
    }
    markov->add_slopes(n, particle, v.data(), got_slope.data());
    EXPECT_LE((got_slope.array() - 1 - slope.array()).matrix().norm(), 1e-12);

    Matrix v_out = Matrix::Zero(4, n);  // two outputs, the second one twice the first
    v_out.row(0) = v.transpose();
    v_out.row(1) = 2 * v.transpose();
    markov->add_product(n, 1, &particle, 2, v_out.data());
    markov->knot_values(n, particle, v.data(), at_knots.data());
    const double constant = kernel->piecewise_linear() ? h(order[0]) : 0;
    for (Index k = 0; k < n; ++k) {
      EXPECT_NEAR(v_out(2, order[k]), h(order[k]) - constant, 1e-12);
      EXPECT_NEAR(v_out(3, order[k]), 2 * (h(order[k]) - constant), 1e-12);
      EXPECT_NEAR(at_knots(k), h(order[k]) - constant, 1e-12);
    }
  }
}

TEST_P(KernelTest, PiecewiseLinearMeansLinesBetweenKnots) {
  const Vector t{{-2, -0.5, 1, 3}}, v{{1, -2, 3, -2}};
  const Vector middle = (t.head(3) + t.tail(3)) / 2;
  const Vector h = expansion(t, v, t), found = expansion(t, v, middle);
  const double bend = (found - (h.head(3) + h.tail(3)) / 2).norm();
  EXPECT_EQ(kernel->piecewise_linear(), bend < 1e-12) << bend;
}

// By the formulas that exported models use.
TEST_P(KernelTest, FunctionFormSaysHowStoredFunctionsAreEvaluated) {
  const FunctionForm form = kernel->function_form();
  if (form == FunctionForm::other) GTEST_SKIP() << "has no formula";
  const Vector t{{-0.5, 1.0}}, h{{2.0, -1.0}}, p{{-2, -0.5, 0.2, 1, 3}};
  const auto formula = [&](double at) {
    if (form == FunctionForm::bumps)
      return h.dot((-0.5 * (at - t.array()).square()).exp().matrix());
    const double inside = std::clamp(at, t(0), t(1)), whole = t(1) - t(0);
    const double left = inside - t(0), right = t(1) - inside;
    if (form == FunctionForm::lines) return (h(0) * right + h(1) * left) / whole;
    return std::exp(-0.5 * std::abs(at - inside)) *
           (h(0) * std::sinh(0.5 * right) + h(1) * std::sinh(0.5 * left)) / std::sinh(0.5 * whole);
  };
  const Vector wanted = p.unaryExpr(formula);
  EXPECT_LE((evaluate(t, h, p) - wanted).norm(), 1e-14);
}

TEST_P(KernelTest, HomogeneousMeansThatTheScaleComesOut) {
  Rng rng(5);
  double error = 0;
  for (int draw = 0; draw < 20; ++draw) {
    const double a = rng.normal(), b = rng.normal(), t = 3 * rng.uniform(), ta = t * a;
    double k = 0, scaled = 0, at_zero = 0;
    kernel->values(1, &a, b, &k);
    kernel->values(1, &ta, t * b, &scaled);
    kernel->values(1, &a, 0, &at_zero);
    error = std::max(error, std::abs(scaled - t * k));
    if (kernel->homogeneous()) {
      EXPECT_EQ(at_zero, 0);
    }
  }
  EXPECT_EQ(kernel->homogeneous(), error < 1e-12) << error;
}

// The vectors with sum 0 are v_k = u_{k−1} − u_k, for which the Brownian form is Σ_k gap_k u_k².
double largest_ratio(const Kernel& kernel, const Vector& t) {
  const Index n = t.size(), m = n - 1;
  Matrix K(n, n);
  for (Index k = 0; k < n; ++k) kernel.values(n, t.data(), t(k), K.col(k).data());
  const Matrix D = K.topRows(m) - K.bottomRows(m);
  const Vector gaps = (t.tail(m) - t.head(m)).cwiseSqrt().cwiseInverse();
  const Matrix M = gaps.asDiagonal() * (D.leftCols(m) - D.rightCols(m)) * gaps.asDiagonal();
  return naive::symmetric_eigenvalues(M)(m - 1);
}

TEST_P(KernelTest, BrownianBoundHoldsForAllVectorsOfSumZeroAndIsReached) {
  Rng rng(6);
  for (const double spread : {0.1, 1.0, 10.0}) {
    Vector t = spread * rng.normal_matrix(40, 1);
    std::sort(t.begin(), t.end());
    EXPECT_LE(largest_ratio(*kernel, t), kernel->brownian_bound() * (1 + 1e-9)) << spread;
    for (int draw = 0; draw < 20; ++draw) {
      Matrix v = rng.normal_matrix(40, 1);
      naive::center_columns(v);
      double form = 0, brownian = 0;
      for (Index i = 0; i < 40; ++i) {
        for (Index k = 0; k < 40; ++k) {
          form += v(i, 0) * v(k, 0) * naive::kernel(GetParam(), t(i), t(k));
          brownian += v(i, 0) * v(k, 0) * naive::kernel("brownian", t(i), t(k));
        }
      }
      EXPECT_LE(form, kernel->brownian_bound() * brownian * (1 + 1e-9) + 1e-12);
    }
  }
  const Vector grid = Vector::LinSpaced(301, -20, 20);
  EXPECT_GE(largest_ratio(*kernel, grid), 0.9 * kernel->brownian_bound());
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, testing::ValuesIn(kernel_names()),
                         [](const auto& one) { return one.param; });

TEST(Kernels, AreMadeByName) {
  for (const std::string& name : kernel_names()) EXPECT_EQ(make_kernel(name)->name(), name);
  EXPECT_NE(make_kernel("brownian")->markov(), nullptr);
  EXPECT_EQ(make_kernel("gaussian")->markov(), nullptr);
}

// All that is asked of a kernel, by the public header alone.
class Cauchy final : public Kernel {
 public:
  std::string name() const override { return "cauchy"; }
  void values(Index n, const double* p, double b, double* out) const override {
    for (Index i = 0; i < n; ++i) out[i] = 1 / (1 + (p[i] - b) * (p[i] - b));
  }
  void derivatives(Index n, const double* p, double b, double* out) const override {
    values(n, p, b, out);
    for (Index i = 0; i < n; ++i) out[i] *= 2 * (b - p[i]) * out[i];
  }
  double brownian_bound() const override { return 2; }  // π ω² e^{−|ω|} ≤ 4π/e²
};

TEST(Kernels, AnotherOneEvaluatesItsExpansion) {
  const Vector t{{-1, 0.5, 2}}, v{{1, -3, 2}};
  const double p = 0.7;
  double h = 0;
  Cauchy().evaluate({3, t.data(), false}, v.data(), 1, &p, &h);
  EXPECT_NEAR(h, 1 / 3.89 - 3 / 1.04 + 2 / 2.69, 1e-14);
}

}  // namespace
}  // namespace bkernn
