#include "columns/rank_curves.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace bkernn {
namespace {

constexpr std::size_t kMostKnots = 64;
constexpr Index kFewestValues = 3;
constexpr double kFarthest = 9;  // beyond it no share of rows is left in double precision

double share_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

// Φ⁻¹ by halving.
double normal_quantile(double u) {
  double low = -kFarthest, high = kFarthest;
  for (double middle = 0; middle > low && middle < high; middle = low + (high - low) / 2)
    (share_below(middle) < u ? low : high) = middle;
  return low + (high - low) / 2;
}

struct Ranked {
  std::vector<double> values, ranks;
};

Ranked ranked(const Vector& values, const Vector& weights) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index k) {
    return std::pair(values(i), weights(i)) < std::pair(values(k), weights(k));
  });
  Ranked found;
  double below = 0;
  for (std::size_t i = 0; i < order.size();) {
    const double value = values(order[i]);
    double weight = 0;
    for (; i < order.size() && values(order[i]) == value; ++i) weight += weights(order[i]);
    found.values.push_back(value);
    found.ranks.push_back(below + weight / 2);
    below += weight;
  }
  for (double& rank : found.ranks) rank /= below;
  return found;
}

}  // namespace

const std::vector<std::string>& rank_names() {
  static const std::vector<std::string> names = {"none", "uniform", "normal"};
  return names;
}

Curve learn_curve(const std::string& ranks, const Vector& values, const Vector& weights) {
  Curve curve;
  curve.ranks = ranks;
  const Ranked all = ranked(values, weights);
  const std::size_t count = all.values.size();
  if (ranks == "none" || count < kFewestValues) return curve;
  const auto add = [&](std::size_t k) {
    const double u = all.ranks[k];
    curve.x.push_back(all.values[k]);
    curve.values.push_back(ranks == "uniform" ? u : normal_quantile(u));
  };
  const double first = all.ranks.front(), length = all.ranks.back() - first;
  std::size_t next = 0;
  for (std::size_t knot = 0; knot < kMostKnots && next < count; ++knot) {
    const double wanted =
        first + length * static_cast<double>(knot) / static_cast<double>(kMostKnots - 1);
    if (count > kMostKnots) {
      while (next + 1 < count && all.ranks[next] < wanted) ++next;
      if (knot + 1 == kMostKnots) next = count - 1;
    }
    add(next++);
  }
  return curve;
}

}  // namespace bkernn
