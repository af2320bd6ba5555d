#include "bkernn/theory.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/names.hpp"
#include "bkernn/error.hpp"

namespace bkernn::theory {
namespace {

void require_positive(double value, const char* name) {
  require(value > 0 && std::isfinite(value), name, value, "must be positive and finite");
}

void require_at_least_zero(double value, const char* name) {
  require(value >= 0 && std::isfinite(value), name, value, "must be at least 0 and finite");
}

void check_terms(const DataTerms& terms) {
  require(terms.n >= 1, "n", terms.n, "must be at least 1");
  require(terms.d >= 1, "d", terms.d, "must be at least 1");
  require_at_least_zero(terms.root_mean_norm, "root_mean_norm");
  require_at_least_zero(terms.root_max_norm, "root_max_norm");
}

void check_theorem(double L, double n, double G_n, double sigma, double delta) {
  require_positive(L, "lipschitz");
  require(n >= 1 && std::isfinite(n), "n", n, "must be at least 1 and finite");
  require_at_least_zero(G_n, "complexity");
  require_at_least_zero(sigma, "sigma");
  require(delta > 0 && delta < 1, "delta", delta, "must lie strictly between 0 and 1");
}

}  // namespace

Sphere sphere_from_name(const std::string& name) {
  require_name("sphere", name, {"l2", "l1"});
  return name == "l1" ? Sphere::l1 : Sphere::l2;
}

Vector dual_norms(const MatrixView& X, Sphere sphere) {
  require(X.rows() >= 1 && X.cols() >= 1, "X", X.size(), "must have at least 1 row and 1 column");
  require(X.allFinite(), "X", "NaN or infinite", "every value must be finite");
  if (sphere == Sphere::l2) return X.rowwise().norm();
  return X.cwiseAbs().rowwise().maxCoeff();
}

DataTerms bounded_terms(Index n, Index d, Sphere sphere, double R) {
  require_at_least_zero(R, "R");
  DataTerms terms{n, d, sphere, std::sqrt(R), std::sqrt(R), 1 + std::sqrt(R)};
  check_terms(terms);
  return terms;
}

DataTerms subgaussian_terms(Index n, Sphere sphere, const Vector& sigma_a) {
  require(sigma_a.size() >= 1, "sigma_a", sigma_a.size(), "must have one entry per variable");
  for (const double one : sigma_a) require_at_least_zero(one, "sigma_a");
  const auto rows = static_cast<double>(n), d = static_cast<double>(sigma_a.size());
  DataTerms terms{.n = n, .d = sigma_a.size(), .sphere = sphere};
  check_terms(terms);
  if (sphere == Sphere::l2) {
    const double root = std::sqrt(sigma_a.norm());
    terms.root_mean_norm = std::sqrt(6.0) * root;
    terms.root_max_norm = 4 * std::pow(1 + std::log(rows), 0.25) * root;
    terms.sigma = 1 + sigma_a.sum();
  } else {
    const double largest = sigma_a.maxCoeff();
    terms.root_mean_norm = 4 * std::pow(std::log(std::max(d, 2.0)), 0.25) * std::sqrt(largest);
    terms.root_max_norm = 4 * std::pow(1 + std::log(rows * d), 0.25) * std::sqrt(largest);
    terms.sigma = std::hypot(std::sqrt(2.0), largest * (1 + std::sqrt(std::log(2 * d))));
  }
  return terms;
}

DataTerms empirical_terms(const MatrixView& X, Sphere sphere, const Vector* weights) {
  const Vector norms = dual_norms(X, sphere);
  const Vector z = 1 + norms.array().sqrt();
  DataTerms terms{.n = X.rows(), .d = X.cols(), .sphere = sphere};
  terms.sigma = subgaussian_sigma(z, weights);
  if (weights == nullptr) {
    terms.root_mean_norm = std::sqrt(norms.mean());
    terms.root_max_norm = std::sqrt(norms.maxCoeff());
    return terms;
  }
  terms.n = std::max<Index>(1, std::llround(weights->sum()));
  terms.root_mean_norm = std::sqrt(norms.dot(*weights) / weights->sum());
  terms.root_max_norm = std::sqrt((weights->array() > 0).select(norms, 0.0).maxCoeff());
  return terms;
}

double subgaussian_sigma(const Vector& z, const Vector* weights) {
  require(z.size() >= 1, "z", z.size(), "must have at least one value");
  require(z.allFinite(), "z", "NaN or infinite", "every value must be finite");
  if (weights != nullptr) {
    require(weights->size() == z.size(), "weights", weights->size(), "must be one per value");
    require((weights->array() >= 0).all() && weights->sum() > 0, "weights", weights->minCoeff(),
            "must be at least 0 and not all 0");
  }
  const auto weight = [&](Index i) { return weights == nullptr ? 1.0 : (*weights)(i); };
  std::vector<Index> order(z.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(z(a)) > std::abs(z(b)); });
  const double total = weights == nullptr ? static_cast<double>(z.size()) : weights->sum();
  double above = 0, variance = 0;
  // Of equal values the last one counts: it has the full probability.
  for (const Index i : order) {
    above += weight(i);
    if (above > 0) variance = std::max(variance, z(i) * z(i) / (2 * std::log(2 * total / above)));
  }
  return std::sqrt(variance);
}

double dimension_dependent_bound(const DataTerms& terms) {
  check_terms(terms);
  const auto n = static_cast<double>(terms.n), d = static_cast<double>(terms.d);
  return 8 * std::sqrt(d / n) * std::sqrt(std::log(n + 1)) * terms.root_mean_norm;
}

double sharp_dimension_dependent_bound(const DataTerms& terms) {
  check_terms(terms);
  const auto n = static_cast<double>(terms.n), d = static_cast<double>(terms.d);
  const double covering = std::sqrt(std::log1p(n / (2 * d)) + 1 / (2 * d)) + 1;
  return 2 * std::sqrt(d / n) * covering * terms.root_mean_norm;
}

double dimension_independent_bound(const DataTerms& terms) {
  check_terms(terms);
  const auto n = static_cast<double>(terms.n), d = static_cast<double>(terms.d);
  const double factor = terms.sphere == Sphere::l1 ? std::pow(std::log(2 * d), 0.25) : 1.0;
  return 6 * std::pow(n, -1.0 / 6) * factor * terms.root_max_norm;
}

double gaussian_complexity_bound(const DataTerms& terms) {
  return std::min(dimension_dependent_bound(terms), dimension_independent_bound(terms));
}

double ball_complexity(double D, double n, double G_n) {
  require_at_least_zero(D, "D");
  check_theorem(1, n, G_n, 0, 0.5);
  return D * (1 / std::sqrt(n) + G_n);
}

double regularization(double L, double n, double G_n, double sigma, double delta) {
  check_theorem(L, n, G_n, sigma, delta);
  const double root = std::sqrt(n);
  return 12 * L * (1 / root + G_n) + 288 * L * sigma / root * std::sqrt(std::log(1 / delta));
}

double excess_risk_bound(double L, double n, double G_n, double sigma, double delta,
                         double penalty_of_best) {
  require_at_least_zero(penalty_of_best, "penalty_of_best");
  return 2 * penalty_of_best * regularization(L, n, G_n, sigma, delta);
}

double lipschitz_constant(const std::string& loss, const LossParameters& parameters,
                          const MatrixView& Y) {
  const std::unique_ptr<Loss> made = make_loss(loss, parameters);
  made->check_targets(Y);
  return made->lipschitz_constant(Y);
}

}  // namespace bkernn::theory
