#include "rows/find_coordinates.hpp"

#include <bit>
#include <cmath>

#include "base/fixed_point.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// Interquartile range of the normal distribution, in standard deviations.
constexpr double kNormalQuartiles = 1.349;

// Whether a column varies beyond rounding, `largest` being its largest value.
bool varies(double deviation, double largest) {
  return deviation > 1e-13 * largest;
}

// A mean of numbers up to `largest`, to 32 bits of that. (Its own digits may be nothing but
// rounding.)
double rounded_mean(double mean, double largest) {
  return largest > 0 ? FixedPoint(std::ldexp(1.0, std::ilogb(largest) - 32)).rounded(mean) : mean;
}

RowVector means(const RowVector& sums, double weight, const RowVector& largest, bool rounded) {
  RowVector mean = sums / weight;
  for (Index a = 0; rounded && a < mean.size(); ++a) mean(a) = rounded_mean(mean(a), largest(a));
  return mean;
}

// Numbers for doubles that keep their order, to search among them by halves.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

double value_of(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// The smallest y of output k that has at least this share of the weight at or below it, given that
// |y| ≤ largest: a search among all doubles, sixteen at a time.
double quantile(Shards& shards, Index k, double level, double weight, double largest) {
  constexpr std::uint64_t kWays = 16;
  const double goal = level * weight * (1 - 1e-12);
  std::uint64_t low = key_of(-largest), high = key_of(largest);
  while (low < high) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t way = 0; way < kWays; ++way) {
      const std::uint64_t key =
          low + (high - low) / kWays * way + (high - low) % kWays * way / kWays;
      if (keys.empty() || key > keys.back()) keys.push_back(key);
    }
    Vector thresholds(static_cast<Index>(keys.size()));
    for (std::size_t i = 0; i < keys.size(); ++i)
      thresholds(static_cast<Index>(i)) = value_of(keys[i]);
    const Vector below = shards.weight_below(k, thresholds);
    for (std::size_t i = keys.size(); i-- > 0;) {
      if (below(static_cast<Index>(i)) >= goal) {
        high = keys[i];
      } else {
        low = keys[i] + 1;
        break;
      }
    }
  }
  return value_of(high);
}

// The spread of output k: its standard deviation for the square loss; for the robust losses the
// interquartile range in units of the normal one, if that is positive. 1 for a constant.
double target_spread(Shards& shards, Index k, double deviation, double weight, double largest,
                     const Loss& loss) {
  if (!loss.quadratic()) {
    const double range =
        (quantile(shards, k, 0.75, weight, largest) - quantile(shards, k, 0.25, weight, largest)) /
        kNormalQuartiles;
    if (varies(range, largest)) return range;
  }
  return varies(deviation, largest) ? deviation : 1.0;
}

// For each coordinate the sum over its block.
RowVector block_sums(const RowVector& values, const std::vector<Index>& blocks) {
  RowVector sums(values.size());
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    const Index size = blocks[b + 1] - blocks[b];
    sums.segment(blocks[b], size).setConstant(values.segment(blocks[b], size).sum());
  }
  return sums;
}

}  // namespace

double to_float_precision(double value) {
  const auto rounded = static_cast<float>(value);
  return std::isnormal(rounded) ? static_cast<double>(rounded) : value;
}

Coordinates find_coordinates(Shards& shards, const FitOptions& options, const Loss& loss,
                             const Encoder* encoder, bool rounded) {
  const bool encoded = encoder != nullptr && !encoder->empty();
  const auto kept = [rounded](double value) { return rounded ? to_float_precision(value) : value; };
  const auto [n, weight, largest] = shards.describe();
  require(n >= 2, "X", n, "at least 2 rows must have a positive weight");
  const Index d = largest.x.size(), q = largest.y.size();
  require(!encoded || encoder->coordinates() == d, "encoder", encoded ? encoder->coordinates() : 0,
          "must have as many coordinates as X has columns, " + std::to_string(d));
  Coordinates found;
  found.n = n;
  found.total_weight = kept(weight);

  const RowSums sums = shards.weigh(static_cast<double>(n) / found.total_weight);
  found.center = means(sums.sum.x, sums.weight, largest.x, rounded);
  found.target_center.setZero(q);
  if (loss.scale_equivariant())
    found.target_center = means(sums.sum.y, sums.weight, largest.y, rounded);

  const Columns squares = shards.squares({found.center, found.target_center});
  const auto deviation = [&](double sum) { return std::sqrt(sum / sums.weight); };
  found.scale.setOnes(d);
  found.constant.setConstant(d, false);
  Columns divisor{RowVector::Ones(d), RowVector::Ones(q)};
  if (encoded) {
    found.groups = encoder->groups();
    found.blocks = encoder->blocks();
  }
  const RowVector together = encoded ? block_sums(squares.x, found.blocks) : squares.x;
  for (Index a = 0; a < d; ++a) {
    found.constant(a) = !varies(deviation(squares.x(a)), largest.x(a));
    if (found.constant(a)) {
      divisor.x(a) = 0;
      found.center(a) = std::copysign(largest.x(a), found.center(a));  // not up to rounding
    } else if (options.standardize) {
      found.scale(a) = divisor.x(a) = kept(deviation(together(a)));
    }
  }
  if (loss.scale_equivariant() && (options.standardize || !options.regularization)) {
    for (Index k = 0; k < q; ++k) {
      divisor.y(k) =
          kept(target_spread(shards, k, deviation(squares.y(k)), sums.weight, largest.y(k), loss));
    }
  }
  found.target_scale = divisor.y;
  found.target_spread.setOnes(q);
  if (loss.scale_equivariant())
    found.target_spread = squares.y.unaryExpr([&](double sum) { return kept(deviation(sum)); });
  found.largest_norm = kept(shards.standardize({found.center, found.target_center}, divisor));
  return found;
}

}  // namespace bkernn
