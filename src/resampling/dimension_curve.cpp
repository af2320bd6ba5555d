#include "resampling/dimension_curve.hpp"

#include <cstdio>
#include <string>

namespace bkernn {
namespace {

constexpr double kHelps = 0.05;  // p-value

std::string ordinal(Index k) {
  static const char* const names[] = {"first", "second",  "third",  "fourth", "fifth",
                                      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  return k <= 10 ? names[k - 1] : std::to_string(k) + "th";
}

std::string p_text(double p) {
  char text[32];
  std::snprintf(text, sizeof text, "(p = %.3g)", p);
  return text;
}

// The share of random signs whose sum is as large; 1 if there is no gain.
double sign_test(const Vector& gain, int n_permutations, Rng& rng) {
  const double sum = gain.sum();
  if (!(sum > 0)) return 1;
  int as_large = 1;
  for (int draw = 0; draw < n_permutations; ++draw) {
    double other = 0;
    for (const double one : gain) other += rng.uniform() < 0.5 ? one : -one;
    if (other >= sum) ++as_large;
  }
  return static_cast<double>(as_large) / static_cast<double>(n_permutations + 1);
}

}  // namespace

DimensionCurve curve_of(const Matrix& losses, const Vector& s, int n_permutations, Rng& rng) {
  const Index most = losses.cols() - 1;
  DimensionCurve curve;
  curve.loss = losses.transpose() * s;
  curve.standard_error.resize(most + 1);
  for (Index k = 0; k <= most; ++k)
    curve.standard_error(k) =
        s.cwiseProduct((losses.col(k).array() - curve.loss(k)).matrix()).norm();
  curve.p_value.resize(most);
  for (Index k = 0; k < most; ++k) {
    const Vector gain = s.cwiseProduct(losses.col(k) - losses.col(k + 1));
    curve.p_value(k) = sign_test(gain, n_permutations, rng);
  }
  return curve;
}

bool helps(const DimensionCurve& curve, Index k) {
  return curve.p_value(k) <= kHelps;
}

std::string DimensionCurve::sentence() const {
  if (loss.size() == 0) return "";
  const bool more = dimension < p_value.size();
  if (dimension == 0) {
    return "No direction: none predicts held-out rows better than a constant " +
           p_text(more ? p_value(0) : 1.0) + ".";
  }
  std::string text = std::to_string(dimension) + (dimension == 1 ? " direction" : " directions");
  text +=
      ": the " + ordinal(dimension) + " lowers the held-out loss " + p_text(p_value(dimension - 1));
  if (more) text += ", a " + ordinal(dimension + 1) + " does not " + p_text(p_value(dimension));
  return text + ".";
}

}  // namespace bkernn
