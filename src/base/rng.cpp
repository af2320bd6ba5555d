#include "base/rng.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

std::mt19937 seeded_engine(std::uint64_t seed) {
  const auto low = static_cast<std::uint32_t>(seed);
  const auto high = static_cast<std::uint32_t>(seed >> 32);
  if (high == 0) return std::mt19937(low);
  std::seed_seq both{low, high};
  return std::mt19937(both);
}

}  // namespace

Rng::Rng(std::uint64_t seed) : engine_(seeded_engine(seed)) {}

double Rng::uniform() {
  const auto a = static_cast<double>(engine_() >> 5);
  const auto b = static_cast<double>(engine_() >> 6);
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

double Rng::normal() {
  if (has_kept_normal_) {
    has_kept_normal_ = false;
    return kept_normal_;
  }
  double u, v, r2;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    // Rounded one by one: a fused multiply-add would give other bits on machines that have one.
    const volatile double u2 = u * u, v2 = v * v;
    r2 = u2 + v2;
  } while (r2 >= 1 || r2 == 0);
  const double scale = std::sqrt(-2 * std::log(r2) / r2);
  kept_normal_ = scale * u;
  has_kept_normal_ = true;
  return scale * v;
}

double Rng::poisson(double mean) {
  require(mean >= 0 && std::isfinite(mean), "mean", mean, "must be at least 0 and finite");
  const auto wait = [this] { return -std::log1p(-uniform()); };
  double count = 0, time = wait();
  while (time < mean) {
    ++count;
    time += wait();
  }
  return count;
}

Index Rng::index(Index n) {
  require(n >= 1, "n", n, "must be at least 1");
  const auto largest = static_cast<std::uint64_t>(n - 1);
  const std::uint64_t mask = std::bit_ceil(largest + 1) - 1;
  for (;;) {
    std::uint64_t bits = engine_();
    if (mask >> 32 != 0) bits = bits << 32 | engine_();
    if ((bits & mask) <= largest) return static_cast<Index>(bits & mask);
  }
}

void Rng::shuffle(std::vector<Index>& values) {
  for (auto left = static_cast<Index>(values.size()); left > 1; --left) {
    std::swap(values[left - 1], values[index(left)]);
  }
}

// The first draws of a shuffle of 0 … n − 1, of which only the entries that moved are remembered.
std::vector<Index> Rng::sample(Index n, Index wanted) {
  std::vector<Index> rows(std::min(n, wanted));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (wanted >= n) return rows;
  std::unordered_map<Index, Index> moved;
  const auto at = [&](Index i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  for (Index i = 0; i < wanted; ++i) {
    const Index j = i + index(n - i);
    const Index drawn = at(j);
    moved[j] = at(i);
    rows[i] = drawn;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

Matrix Rng::uniform_matrix(Index rows, Index cols) {
  Matrix values(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) values(i, j) = uniform();
  }
  return values;
}

Matrix Rng::normal_matrix(Index rows, Index cols) {
  Matrix values(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) values(i, j) = normal();
  }
  return values;
}

Matrix random_orthogonal(Index d, Rng& rng) {
  require(d >= 1, "d", d, "must be at least 1");
  const Eigen::HouseholderQR<Matrix> qr(rng.normal_matrix(d, d));
  Matrix Q = qr.householderQ();
  for (Index a = 0; a < d; ++a) {
    if (qr.matrixQR()(a, a) < 0) Q.col(a) *= -1;
  }
  return Q;
}

}  // namespace bkernn
