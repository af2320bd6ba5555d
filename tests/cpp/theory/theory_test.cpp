#include "bkernn/theory.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include "bkernn/fit.hpp"

#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "bkernn/simulate.hpp"
#include "theory/theory_ascent.hpp"

namespace bkernn::theory {
namespace {

Matrix normal_rows(Index n, Index d, std::uint64_t seed) {
  Rng rng(seed);
  return rng.normal_matrix(n, d);
}

// εᵀK^(w)ε from the definition of the kernel.
double naive_form(const Matrix& X, const Vector& w, const Vector& epsilon) {
  const Vector p = X * w;
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    for (Index j = 0; j < p.size(); ++j) {
      const double k = 0.5 * (std::abs(p(i)) + std::abs(p(j)) - std::abs(p(i) - p(j)));
      sum += epsilon(i) * epsilon(j) * k;
    }
  }
  return sum;
}

double slope(double y0, double y1, double x0, double x1) {
  return std::log(y1 / y0) / std::log(x1 / x0);
}

TEST(TheoryBounds, FormulasByHand) {
  const DataTerms l2{
      .n = 100, .d = 4, .sphere = Sphere::l2, .root_mean_norm = 2, .root_max_norm = 3};
  EXPECT_NEAR(dimension_dependent_bound(l2), 8 * 0.2 * std::sqrt(std::log(101.0)) * 2, 1e-12);
  EXPECT_NEAR(dimension_dependent_bound(l2), 6.874506, 1e-6);
  EXPECT_NEAR(dimension_independent_bound(l2), 6 * std::pow(100, -1.0 / 6) * 3, 1e-12);
  EXPECT_NEAR(dimension_independent_bound(l2), 8.354860, 1e-6);
  EXPECT_EQ(gaussian_complexity_bound(l2), dimension_dependent_bound(l2));
  DataTerms l1 = l2;
  l1.sphere = Sphere::l1;
  EXPECT_EQ(dimension_dependent_bound(l1), dimension_dependent_bound(l2));
  EXPECT_NEAR(dimension_independent_bound(l1) / dimension_independent_bound(l2),
              std::pow(std::log(8.0), 0.25), 1e-12);
}

TEST(TheoryBounds, SharpLineOfTheProofIsBelowTheTheorem) {
  for (const Index n : {2, 10, 1000, 1000000}) {
    for (const Index d : {1, 5, 300}) {
      const DataTerms terms{.n = n, .d = d, .root_mean_norm = 1, .root_max_norm = 1};
      if (d <= n) {
        EXPECT_LE(sharp_dimension_dependent_bound(terms), dimension_dependent_bound(terms));
      }
    }
  }
}

TEST(TheoryBounds, LambdaAndRiskByHand) {
  // 12·2·(0.1 + 0.5) + 288·2·1.5/10·√log 20 = 14.4 + 86.4·1.7308183826…
  EXPECT_NEAR(regularization(2, 100, 0.5, 1.5, 0.05), 14.4 + 86.4 * 1.7308183826022854, 1e-9);
  EXPECT_NEAR(regularization(2, 100, 0.5, 1.5, 0.05), 163.94270825683746, 1e-9);
  // 24·3·2·(0.1 + 0.5 + 24·1.5/10·√log 20)
  EXPECT_NEAR(excess_risk_bound(2, 100, 0.5, 1.5, 0.05, 3), 144 * (0.6 + 3.6 * 1.7308183826022854),
              1e-9);
  EXPECT_NEAR(ball_complexity(3, 100, 0.5), 1.8, 1e-12);
}

TEST(TheoryTerms, BoundedData) {
  const DataTerms terms = bounded_terms(50, 3, Sphere::l2, 4);
  EXPECT_EQ(terms.root_mean_norm, 2);
  EXPECT_EQ(terms.root_max_norm, 2);
  EXPECT_EQ(terms.sigma, 3);
}

TEST(TheoryTerms, SubgaussianDataByHand) {
  const Vector sigma_a = Vector::Constant(4, 2.0);  // Σσ² = 16, ¼-th power 2
  const DataTerms l2 = subgaussian_terms(100, Sphere::l2, sigma_a);
  EXPECT_NEAR(l2.root_mean_norm, std::sqrt(6.0) * 2, 1e-12);
  EXPECT_NEAR(l2.root_max_norm, 8 * std::pow(1 + std::log(100.0), 0.25), 1e-12);
  EXPECT_NEAR(l2.sigma, 9, 1e-12);
  const DataTerms l1 = subgaussian_terms(100, Sphere::l1, sigma_a);
  EXPECT_NEAR(l1.root_mean_norm, 4 * std::pow(std::log(4.0), 0.25) * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(l1.root_max_norm, 4 * std::pow(1 + std::log(400.0), 0.25) * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(l1.sigma * l1.sigma, 2 + 4 * std::pow(1 + std::sqrt(std::log(8.0)), 2), 1e-12);
}

// The lemma's right-hand sides are above the empirical left-hand sides.
TEST(TheoryTerms, EmpiricalTermsAreBelowTheLemma) {
  for (const Sphere sphere : {Sphere::l2, Sphere::l1}) {
    for (const Index d : {1, 3, 20}) {
      const Matrix X = normal_rows(400, d, 7);
      const DataTerms here = empirical_terms(X, sphere);
      const DataTerms gauss = subgaussian_terms(400, sphere, Vector::Ones(d));
      EXPECT_LE(here.root_mean_norm, gauss.root_mean_norm);
      EXPECT_LE(here.root_max_norm, gauss.root_max_norm);
      const DataTerms bounded = bounded_terms(400, d, sphere, dual_norms(X, sphere).maxCoeff());
      EXPECT_LE(here.root_mean_norm, bounded.root_mean_norm);
      EXPECT_LE(here.root_max_norm, bounded.root_max_norm + 1e-12);
      EXPECT_LE(here.sigma, bounded.sigma);
    }
  }
}

TEST(TheoryTerms, SigmaObeysItsDefinitionAndIsSmallest) {
  Rng rng(3);
  const Vector z = rng.normal_matrix(500, 1);
  const double sigma = subgaussian_sigma(z);
  EXPECT_GT(sigma, 0.7);
  EXPECT_LT(sigma, 1.3);
  bool tight = false;
  for (const double t : z.cwiseAbs()) {
    const double share = static_cast<double>((z.array().abs() >= t).count()) / 500;
    const double bound = 2 * std::exp(-t * t / (2 * sigma * sigma));
    EXPECT_LE(share, bound * (1 + 1e-12));
    tight = tight || share > bound * (1 - 1e-9);
  }
  EXPECT_TRUE(tight);
  EXPECT_NEAR(subgaussian_sigma(Vector::Constant(5, 3.0)), 3 / std::sqrt(2 * std::log(2.0)), 1e-12);
}

TEST(TheoryTerms, WeightsAreCounts) {
  const Matrix X = normal_rows(30, 4, 1);
  Vector weights = Vector::Ones(30);
  weights(3) = 2;
  weights(5) = 0;
  Matrix repeated = X;
  repeated.row(5) = X.row(3);
  const DataTerms a = empirical_terms(X, Sphere::l2, &weights);
  const DataTerms b = empirical_terms(repeated, Sphere::l2);
  EXPECT_EQ(a.n, b.n);
  EXPECT_NEAR(a.root_mean_norm, b.root_mean_norm, 1e-12);
  EXPECT_NEAR(a.root_max_norm, b.root_max_norm, 1e-12);
  EXPECT_NEAR(a.sigma, b.sigma, 1e-12);
}

TEST(GaussianComplexity, QuadraticFormEqualsTheKernelMatrix) {
  const Matrix X = normal_rows(40, 3, 2);
  Rng rng(5);
  const Matrix W = rng.normal_matrix(3, 6);
  const Vector epsilon = rng.normal_matrix(40, 1);
  Matrix gradient;
  const Vector q = brownian_quadratic_form(X, W, epsilon, &gradient);
  for (Index j = 0; j < W.cols(); ++j) {
    EXPECT_NEAR(q(j), naive_form(X, W.col(j), epsilon), 1e-10 * q(j));
    for (Index a = 0; a < 3; ++a) {
      Vector plus = W.col(j), minus = W.col(j);
      plus(a) += 1e-6;
      minus(a) -= 1e-6;
      const double numeric = (naive_form(X, plus, epsilon) - naive_form(X, minus, epsilon)) / 2e-6;
      EXPECT_NEAR(gradient(a, j), numeric, 1e-4 * (1 + std::abs(numeric)));
    }
  }
}

// r is the nearest point of a convex set if no point of it lies beyond the plane through r across
// w − r; it is enough to ask the vertices ±e_a.
TEST(GaussianComplexity, ProjectionToTheBallFindsTheNearestPoint) {
  Rng rng(7);
  for (int k = 0; k < 50; ++k) {
    const Vector w = 2 * rng.normal_matrix(5, 1);
    Vector r = w;
    project_to_l1_ball(r);
    if (w.lpNorm<1>() <= 1) {
      EXPECT_EQ(r, w);
      continue;
    }
    EXPECT_NEAR(r.lpNorm<1>(), 1, 1e-12);
    EXPECT_LE((w - r).cwiseAbs().maxCoeff(), (w - r).dot(r) + 1e-12);
  }
  Vector inside{{0.25, -0.5}};
  project_to_l1_ball(inside);
  EXPECT_EQ(inside, (Vector{{0.25, -0.5}}));
}

// In one dimension the sphere is {−1, 1} and K^(−w) = K^(w): the supremum is known.
TEST(GaussianComplexity, OneDimensionIsExact) {
  const Matrix X = normal_rows(60, 1, 4);
  const ComplexityEstimate estimate =
      estimate_gaussian_complexity(X, Sphere::l2, {.draws = 4, .seed = 9});
  for (Index draw = 0; draw < 4; ++draw) {
    Rng rng(9 + static_cast<std::uint64_t>(draw));
    const Vector epsilon = rng.normal_matrix(60, 1);
    const double form = naive_form(X, Vector::Ones(1), epsilon);
    EXPECT_NEAR(estimate.suprema(draw), std::sqrt(form) / 60, 1e-12);
  }
}

// In two dimensions a fine grid of angles finds the supremum, on both spheres.
TEST(GaussianComplexity, AscentReachesTheGridMaximum) {
  const Matrix X = normal_rows(50, 2, 6);
  for (const Sphere sphere : {Sphere::l2, Sphere::l1}) {
    const ComplexityEstimate estimate =
        estimate_gaussian_complexity(X, sphere, {.draws = 5, .seed = 1});
    for (Index draw = 0; draw < 5; ++draw) {
      Rng rng(1 + static_cast<std::uint64_t>(draw));
      const Vector epsilon = rng.normal_matrix(50, 1);
      Matrix W(2, 2000);
      for (Index j = 0; j < W.cols(); ++j) {
        const double angle = 2 * M_PI * static_cast<double>(j) / static_cast<double>(W.cols());
        W.col(j) << std::cos(angle), std::sin(angle);
        if (sphere == Sphere::l1) W.col(j) /= W.col(j).lpNorm<1>();
      }
      const double grid = std::sqrt(brownian_quadratic_form(X, W, epsilon).maxCoeff()) / 50;
      EXPECT_GE(estimate.suprema(draw), 0.998 * grid);
      const Vector w = estimate.maximizers.col(draw);
      EXPECT_NEAR(sphere == Sphere::l1 ? w.lpNorm<1>() : w.norm(), 1, 1e-12);
      EXPECT_NEAR(std::sqrt(naive_form(X, w, epsilon)) / 50, estimate.suprema(draw), 1e-10);
    }
  }
}

TEST(GaussianComplexity, EstimateIsBelowBothTheoremsAndFallsAsTheySay) {
  for (const Sphere sphere : {Sphere::l2, Sphere::l1}) {
    for (const Index d : {2, 10, 40}) {
      double first = 0, last = 0;
      for (const Index n : {50, 200, 800}) {
        const Matrix X = normal_rows(n, d, static_cast<std::uint64_t>(n + d));
        const ComplexityEstimate estimate =
            estimate_gaussian_complexity(X, sphere, {.draws = 6, .restarts = 3, .max_iter = 40});
        const DataTerms terms = empirical_terms(X, sphere);
        EXPECT_LT(estimate.value, dimension_dependent_bound(terms));
        EXPECT_LT(estimate.value, sharp_dimension_dependent_bound(terms));
        EXPECT_LT(estimate.value, dimension_independent_bound(terms));
        EXPECT_GT(estimate.value, 0.3 / std::sqrt(static_cast<double>(n)));
        (n == 50 ? first : last) = estimate.value;
      }
      // The conjectured rate is n^(−1/2); no slower than n^(−1/6) is what dim_indep promises.
      const double rate = slope(first, last, 50, 800);
      EXPECT_LT(rate, -1.0 / 6) << "d = " << d;
      EXPECT_GT(rate, -0.75) << "d = " << d;
    }
  }
}

TEST(GaussianComplexity, SameBitsOnAnyNumberOfThreads) {
  const Matrix X = normal_rows(200, 5, 8);
  const auto estimate = [&](int threads) {
    return estimate_gaussian_complexity(
        X, Sphere::l2, {.draws = 6, .restarts = 2, .max_iter = 10, .n_threads = threads});
  };
  EXPECT_EQ(estimate(1).suprema, estimate(2).suprema);
  EXPECT_EQ(estimate(1).maximizers, estimate(3).maximizers);
}

TEST(TheoryRule, LipschitzConstants) {
  Matrix Y(4, 1);
  Y << 0, 1, 1, 0;
  EXPECT_EQ(lipschitz_constant("logistic", {}, Y), 1);
  EXPECT_EQ(lipschitz_constant("square", {}, 3 * Y), 3);
  EXPECT_EQ(lipschitz_constant("poisson", {}, 5 * Y), 5);
  EXPECT_EQ(lipschitz_constant("huber", {.huber_delta = 0.7}, Y), 0.7);
  EXPECT_EQ(lipschitz_constant("quantile", {.quantile = 0.1}, Y), 0.9);
}

TEST(TheoryRule, EqualsTheFormulaAndIsEquivariant) {
  const Simulated data = simulate({.kind = "multi_index", .n = 120, .d = 4});
  const FitInput input{.X = data.train.X, .Y = data.train.Y};
  const FitOptions options = by_rule();
  const TheoryReport report = describe(input, options);
  EXPECT_EQ(report.terms.n, 120);
  EXPECT_EQ(report.terms.d, 4);
  const double expected = regularization(
      report.lipschitz, 120, std::min(report.dimension_dependent, report.dimension_independent),
      report.terms.sigma, 0.05);
  EXPECT_NEAR(report.lambda, expected, 1e-12 * expected);
  EXPECT_EQ(theory_regularization(input, options), report.regularization);

  const Matrix Y10 = 10 * data.train.Y;
  const Matrix X10 = (10 * data.train.X).array() + 3;
  EXPECT_NEAR(theory_regularization({.X = X10, .Y = Y10}, options), 10 * report.regularization,
              1e-9 * report.regularization);
  FitOptions l1 = options;
  l1.penalty = "basic_l1";
  EXPECT_EQ(describe(input, l1).terms.sphere, Sphere::l1);
  TheoryOptions monte_carlo;
  monte_carlo.complexity = "monte_carlo";
  const TheoryReport sampled = describe(input, options, monte_carlo);
  EXPECT_LT(sampled.complexity, report.complexity);
  EXPECT_LT(sampled.lambda, report.lambda);
}

TEST(TheoryRule, WhatIsGivenGoesBeforeTheData) {
  const Simulated data = simulate({.kind = "multi_index", .n = 40, .d = 3});
  const FitInput input{.X = data.train.X, .Y = data.train.Y};
  const TheoryReport own = describe(input, by_rule());
  TheoryOptions options;
  options.lipschitz = 0.3;
  options.sigma = 0.7;
  const TheoryReport given = describe(input, by_rule(), options);
  EXPECT_EQ(given.lipschitz, 0.3);
  EXPECT_EQ(given.terms.sigma, 0.7);
  EXPECT_GT(own.lipschitz, 0.3);
  EXPECT_GT(own.terms.sigma, 0.7);
  for (double TheoryOptions::*one : {&TheoryOptions::lipschitz, &TheoryOptions::sigma}) {
    options.*one = 0;
    EXPECT_NO_THROW(options.validate());
    options.*one = -1e-9;
    EXPECT_THROW(options.validate(), InvalidArgument);
    options.*one = 1;
  }
}

TEST(TheoryRule, FitUsesIt) {
  const Simulated data = simulate({.kind = "multi_index", .n = 80, .d = 3});
  FitOptions options = by_rule();
  options.n_particles = 5;
  options.regularization_rule = "theory";
  const FitInput input{.X = data.train.X, .Y = data.train.Y};
  const double lambda = theory_regularization(input, options);
  EXPECT_NEAR(fit(input, options).regularization, lambda, 1e-12 * lambda);
  options.regularization = 0.5;  // what is given goes before any rule
  EXPECT_NEAR(fit(input, options).regularization, 0.5, 1e-12);
}

TEST(TheoryErrors, NameWhatIsWrong) {
  EXPECT_THROW(sphere_from_name("linf"), InvalidArgument);
  EXPECT_THROW(regularization(1, 10, 1, 1, 1.5), InvalidArgument);
  EXPECT_THROW(regularization(0, 10, 1, 1, 0.5), InvalidArgument);
  EXPECT_THROW(bounded_terms(10, 2, Sphere::l2, -1), InvalidArgument);
  EXPECT_THROW(subgaussian_terms(10, Sphere::l2, Vector()), InvalidArgument);
  EXPECT_THROW(estimate_gaussian_complexity(Matrix::Ones(4, 2), Sphere::l2, {.draws = 0}),
               InvalidArgument);
  const Simulated data = simulate({.kind = "multi_index", .n = 20, .d = 3});
  FitOptions options = by_rule();
  options.regularization_rule = "guess";
  EXPECT_THROW(options.validate(), InvalidArgument);
  options.regularization_rule = "theory";
  options.kernel = "gaussian";
  EXPECT_THROW(options.validate(), InvalidArgument);
}

}  // namespace
}  // namespace bkernn::theory
