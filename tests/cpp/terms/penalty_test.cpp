// Every penalty against its formula, and every prox against its own value.
#include "bkernn/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bkernn/error.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

struct Shape {
  Index d, m;
};

class PenaltyTest : public testing::TestWithParam<std::string> {
 protected:
  const std::vector<Shape> shapes{{4, 3}, {3, 4}, {1, 5}, {5, 1}, {1, 1}, {3, 3}, {12, 4}};
  const std::vector<double> concavities{0, 1e-6, 1e-3, 1, 30, 1e3};
  const std::vector<double> steps{1e-6, 1e-3, 0.1, 1, 10, 1e3};
};

TEST_P(PenaltyTest, ValueEqualsTheFormula) {
  Rng rng(1);
  for (const auto [d, m] : shapes) {
    for (const double s : concavities) {
      const Matrix W = 3 * rng.normal_matrix(d, m);
      const double want = naive::penalty(GetParam(), W, s);
      EXPECT_NEAR(make_penalty(GetParam(), s)->value(W), want, 1e-12 * want)
          << d << "x" << m << " s = " << s;
      EXPECT_EQ(make_penalty(GetParam(), s)->value(Matrix::Zero(d, m)), 0);
    }
  }
}

// Of several rows that are one variable, the norm is that of a single row of them all.
TEST_P(PenaltyTest, GroupsOfRowsAreOneVariable) {
  Rng rng(8);
  const Matrix W = rng.normal_matrix(6, 5);
  const std::vector<Index> groups{0, 1, 4, 6};
  const auto penalty = make_penalty(GetParam(), 1, groups);
  if (!penalty->selects_variables()) {
    EXPECT_EQ(penalty->value(W), make_penalty(GetParam(), 1)->value(W));
    return;
  }
  Matrix norms = Matrix::Zero(3, 5);
  for (Index g = 0; g < 3; ++g)
    norms(g, 0) = W.middleRows(groups[g], groups[g + 1] - groups[g]).norm();
  EXPECT_NEAR(penalty->value(W), naive::penalty(GetParam(), norms, 1), 1e-12);
  for (const double t : steps) {
    Matrix U = W, u = norms;
    EXPECT_NEAR(penalty->prox(U, t), make_penalty(GetParam(), 1)->prox(u, t), 1e-12);
    for (Index g = 0; g < 3; ++g) {
      const Index first = groups[g], count = groups[g + 1] - first;
      const Matrix want = W.middleRows(first, count) * (u(g, 0) / norms(g, 0));
      EXPECT_NEAR((U.middleRows(first, count) - want).norm(), 0, 1e-12);
    }
  }
}

// ½‖U − W‖² + tΩ(U), with Ω of the oracle.
TEST_P(PenaltyTest, NoPointOfACloudBeatsTheProx) {
  Rng rng(2);
  for (const auto [d, m] : shapes) {
    for (const double s : concavities) {
      if (s != 1 && !GetParam().starts_with("concave")) continue;
      const auto penalty = make_penalty(GetParam(), s);
      for (const double t : steps) {
        const Matrix W = rng.normal_matrix(d, m);
        const auto value = [&](const Matrix& U) {
          return 0.5 * (U - W).squaredNorm() + t * naive::penalty(GetParam(), U, s);
        };
        Matrix U = W;
        const double reported = penalty->prox(U, t);
        EXPECT_NEAR(reported, penalty->value(U), 1e-12 * (1 + reported));
        EXPECT_NEAR(reported, naive::penalty(GetParam(), U, s), 1e-12 * (1 + reported));
        const double least = value(U) - 1e-13 * (1 + value(U));
        const std::string where = std::to_string(d) + "x" + std::to_string(m) +
                                  " s = " + std::to_string(s) + " t = " + std::to_string(t);
        for (const double size : {1.0, 0.1, 1e-2, 1e-4}) {
          for (int draw = 0; draw < 4; ++draw) {
            const Matrix direction = rng.normal_matrix(d, m);
            ASSERT_GE(value(U + size * direction), least) << where;
            ASSERT_GE(value(U.cwiseProduct(Matrix::Ones(d, m) + size * direction)), least) << where;
          }
          ASSERT_GE(value((1 + size) * U), least) << where;
          ASSERT_GE(value((1 - size) * U), least) << where;
        }
        for (int k = 0; k <= 20; ++k) ASSERT_GE(value(k / 20.0 * W), least) << where << " " << k;
      }
    }
  }
}

// For one group the prox is a minimum over one number: a grid finds it.
TEST_P(PenaltyTest, OneNumberAgainstAGrid) {
  for (const double s : concavities) {
    const auto penalty = make_penalty(GetParam(), s);
    for (const double t : steps) {
      for (const double r : {1e-8, 0.01, 0.3, 1.0, 7.0, 500.0}) {
        const auto value = [&](double u) {
          return 0.5 * (u - r) * (u - r) +
                 t * naive::penalty(GetParam(), Matrix::Constant(1, 1, u), s);
        };
        Matrix U = Matrix::Constant(1, 1, r);
        penalty->prox(U, t);
        EXPECT_GE(U(0, 0), 0);
        EXPECT_LE(U(0, 0), r);
        for (int k = 0; k <= 2000; ++k) {
          ASSERT_GE(value(r * k / 2000), value(U(0, 0)) - 1e-13 * (r * r + value(r)))
              << s << " " << t << " " << r;
        }
      }
    }
  }
}

TEST_P(PenaltyTest, ZeroStepIsTheIdentity) {
  Rng rng(3);
  const Matrix W = rng.normal_matrix(4, 6);
  Matrix U = W;
  make_penalty(GetParam())->prox(U, 0);
  EXPECT_LE((U - W).norm(), 1e-13);
}

TEST_P(PenaltyTest, ZeroGroupsStayZeroAndLargeStepsGiveZero) {
  Rng rng(4);
  for (const double s : concavities) {
    for (const auto& [d, m] : {Shape{4, 6}, Shape{6, 4}}) {
      const auto penalty = make_penalty(GetParam(), s);
      Matrix W = Matrix::Zero(d, m);
      EXPECT_EQ(penalty->prox(W, 1), 0);
      EXPECT_EQ(W.norm(), 0);
      W = rng.normal_matrix(d, m);
      W.row(2).setZero();
      W.col(3).setZero();
      penalty->prox(W, 1e-3);
      EXPECT_TRUE(W.allFinite());
      EXPECT_LE(W.row(2).norm() + W.col(3).norm(), 1e-15);
      if (GetParam() != "feature" && GetParam() != "concave_feature") {
        EXPECT_EQ(W.row(2).norm() + W.col(3).norm(), 0);
      }
      EXPECT_EQ(penalty->prox(W, 1e12), 0);
      EXPECT_EQ(W.norm(), 0);
    }
  }
}

// Nothing is lost to overflow or underflow between 1e-100 and 1e100.
TEST_P(PenaltyTest, ExtremeSizes) {
  Rng rng(5);
  for (const double size : {1e-100, 1e100}) {
    const Matrix W = size * rng.normal_matrix(3, 4);
    const auto penalty = make_penalty(GetParam());
    EXPECT_TRUE(std::isfinite(penalty->value(W)));
    Matrix U = W;
    penalty->prox(U, 1e-3 * size);
    EXPECT_TRUE(U.allFinite());
    EXPECT_LE(U.norm(), W.norm() * (1 + 1e-12));
  }
}

TEST_P(PenaltyTest, ConvexIsTheLimitOfVanishingConcavity) {
  Rng rng(6);
  const Matrix W = rng.normal_matrix(4, 5);
  const auto convex = make_penalty(GetParam(), 2.0)->convex();
  for (const double s : {1e-9, 0.0}) {
    const auto nearly = make_penalty(GetParam(), s);
    EXPECT_NEAR(convex->value(W), nearly->value(W), 1e-7);
    for (const double t : {0.1, 1.0, 5.0}) {
      Matrix U = W, V = W;
      convex->prox(U, t);
      nearly->prox(V, t);
      EXPECT_LE((U - V).norm(), 1e-7);
    }
  }
  // Convex indeed, and no flatter than the concave one.
  const Matrix V = rng.normal_matrix(4, 5);
  for (const double u : {0.2, 0.5, 0.9}) {
    EXPECT_LE(convex->value(u * W + (1 - u) * V),
              u * convex->value(W) + (1 - u) * convex->value(V) + 1e-12);
  }
  EXPECT_GE(convex->value(W), make_penalty(GetParam(), 2.0)->value(W));
}

double norm(const Vector& w, Norm which) {
  return which == Norm::l1 ? w.lpNorm<1>() : w.norm();
}

TEST_P(PenaltyTest, ParticleNormIsTheValueForOneRepeatedParticle) {
  Rng rng(8);
  const auto penalty = make_penalty(GetParam(), 0.5);
  for (const auto [d, m] : shapes) {
    const Vector w = rng.normal_matrix(d, 1);
    const Matrix W = w.replicate(1, m);
    const double want = norm(w, penalty->particle_norm()) / 2;
    EXPECT_NEAR(naive::penalty(GetParam(), W, 0), want, 1e-12) << d << "x" << m;
    EXPECT_NEAR(penalty->convex()->value(W), want, 1e-12);
    // The concave penalties are the same to first order at 0.
    EXPECT_NEAR(penalty->value(1e-6 * W), 1e-6 * want, 1e-10 * want);
  }
}

TEST_P(PenaltyTest, SumsOverParticlesMeansTheMeanOfTheirNorms) {
  Rng rng(9);
  const auto penalty = make_penalty(GetParam(), 0.5);
  const Matrix W = rng.normal_matrix(4, 3);
  double mean = 0;
  for (Index j = 0; j < 3; ++j) mean += norm(W.col(j), penalty->particle_norm()) / 6;
  const double error = std::abs(penalty->convex()->value(W) - mean);
  EXPECT_EQ(penalty->sums_over_particles(), error < 1e-12) << error;
}

TEST_P(PenaltyTest, Names) {
  EXPECT_EQ(make_penalty(GetParam())->name(), GetParam());
  EXPECT_EQ(make_penalty(GetParam())->selects_variables(),
            GetParam() == "variable" || GetParam() == "concave_variable");
}

TEST_P(PenaltyTest, ConcavityHasBounds) {
  for (const double s : {0.0, 1e100}) EXPECT_NO_THROW(make_penalty(GetParam(), s)) << s;
  for (const double s : {-1e-300, 1.001e100, std::nan("")}) {
    EXPECT_THROW(make_penalty(GetParam(), s), InvalidArgument) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PenaltyTest, testing::ValuesIn(penalty_names()),
                         [](const auto& one) { return one.param; });

TEST(LeftSingularTest, EqualsJacobi) {
  Rng rng(7);
  for (const auto& [d, m] : {Shape{3, 8}, Shape{8, 3}, Shape{5, 5}, Shape{1, 4}, Shape{4, 1}}) {
    Matrix W = rng.normal_matrix(d, m);
    if (d == 5) W.col(4) = W.col(3);  // rank 4
    const LeftSingular found = left_singular(W);
    const auto [want, vectors] = naive::left_singular(W);
    EXPECT_LE((found.values - want).norm(), 1e-12 * want(0));
    const Index rank = std::min({d, m, Index{4}});
    const Matrix U = found.vectors.leftCols(rank);
    EXPECT_LE((U.transpose() * U - Matrix::Identity(rank, rank)).norm(), 1e-12);
    for (Index a = 0; a < rank; ++a) EXPECT_NEAR(std::abs(U.col(a).dot(vectors.col(a))), 1, 1e-10);
  }
}

}  // namespace
}  // namespace bkernn
