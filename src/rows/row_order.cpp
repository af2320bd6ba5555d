#include "rows/row_order.hpp"

#include <algorithm>
#include <numeric>

#include "base/rng.hpp"

namespace bkernn {

std::vector<Index> row_order(const StandardRows& rows) {
  const Index n = rows.Z.rows();
  const Vector c = rows.Z.transpose() * rows.Y.col(0) / static_cast<double>(n);
  // Floats, because rounding differs with the order of rows and columns.
  const Eigen::VectorXf key = (rows.Z * (c.array() + 1).matrix()).cast<float>();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index k) {
    for (Index a = 0; a < rows.Y.cols(); ++a) {
      if (rows.Y(i, a) != rows.Y(k, a)) return rows.Y(i, a) < rows.Y(k, a);
    }
    return key(i) < key(k);
  });
  return order;
}

std::vector<Index> draw_along(const std::vector<Index>& order, Index count, std::uint64_t seed) {
  const auto n = static_cast<Index>(order.size());
  Rng rng(seed);
  std::vector<Index> drawn(count);
  for (Index b = 0; b < count; ++b) {
    const Index begin = b * n / count, end = (b + 1) * n / count;
    drawn[b] = order[begin + rng.index(end - begin)];
  }
  return drawn;
}

std::vector<int> deal_along(const std::vector<Index>& order, int k) {
  Rng rng(0);
  std::vector<int> part(order.size());
  std::vector<Index> deal(k);
  std::iota(deal.begin(), deal.end(), Index{0});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t place = i % k;
    if (place == 0) rng.shuffle(deal);
    part[order[i]] = static_cast<int>(deal[place]);
  }
  return part;
}

StandardRows select(const StandardRows& rows, const std::vector<Index>& which) {
  StandardRows some{rows.Z(which, Eigen::all), rows.Y(which, Eigen::all), rows.s(which)};
  some.s *= static_cast<double>(some.s.size()) / some.s.sum();
  return some;
}

}  // namespace bkernn
