#include "report/direction_maps.hpp"

#include <algorithm>
#include <cmath>

namespace bkernn::report {
namespace {

constexpr Index kMapGrid = 17;
constexpr std::size_t kMostMaps = 3;
constexpr double kLeastTogether = 0.1;  // of the largest spread of a pair
constexpr double kTail = 0.02;          // of the rows, left out at each end of a map

struct Pair {
  Index i = 0, j = 0, output = 0;
  Vector s, t;
  Matrix values;  // of the output that they move most
  double alone_i = 0, alone_j = 0, together = 0;
  double all() const { return std::hypot(alone_i, alone_j, together); }
};

// Positions from the lower to the upper tail of the rows.
Vector map_grid(const Along& along, Index i) {
  auto [low, high] = along.range(i);
  if (!along.drawn().empty()) {
    std::vector<double> sorted(along.drawn().size());
    Vector::Map(sorted.data(), static_cast<Index>(sorted.size())) = along.position(i);
    std::sort(sorted.begin(), sorted.end());
    const auto tail = static_cast<std::size_t>(kTail * static_cast<double>(sorted.size()));
    low = sorted[tail];
    high = sorted[sorted.size() - 1 - tail];
  }
  return Vector::LinSpaced(kMapGrid, low, high);
}

// The share of the rows that are nearest to each position.
Vector grid_weights(const Along& along, Index i, const Vector& grid) {
  if (along.drawn().empty()) return Vector::Constant(kMapGrid, 1.0 / kMapGrid);
  Vector weights = Vector::Zero(kMapGrid);
  const double step = (grid(kMapGrid - 1) - grid(0)) / (kMapGrid - 1);
  for (const double at : along.position(i)) {
    const double place = step > 0 ? std::round((at - grid(0)) / step) : 0;
    weights(static_cast<Index>(std::clamp<double>(place, 0, kMapGrid - 1))) += 1;
  }
  return weights / weights.sum();
}

// Of two probabilities only the second is looked at: the first is its complement.
Pair pair_of(const Along& along, Index i, Index j, bool two_classes) {
  Pair pair;
  pair.i = i;
  pair.j = j;
  pair.s = map_grid(along, i);
  pair.t = map_grid(along, j);
  const Vector w = grid_weights(along, i, pair.s), v = grid_weights(along, j, pair.t);
  const Matrix all = along.surface(i, j, pair.s, pair.t);
  const Index first = two_classes ? 1 : 0;
  for (Index k = first; k < all.cols(); ++k) {
    const Matrix G = Matrix(all.col(k)).reshaped(kMapGrid, kMapGrid).transpose();  // s × t
    const Vector of_s = G * v, of_t = G.transpose() * w;
    const double mean = w.dot(of_s);
    const Matrix rest = ((G.colwise() - of_s).rowwise() - of_t.transpose()).array() + mean;
    const double together = std::sqrt(w.dot(rest.cwiseAbs2() * v));
    if (k > first && together <= pair.together) continue;
    pair.output = k;
    pair.values = G;
    pair.together = together;
    pair.alone_i = std::sqrt(w.dot((of_s.array() - mean).square().matrix()));
    pair.alone_j = std::sqrt(v.dot((of_t.array() - mean).square().matrix()));
  }
  return pair;
}

Json pair_json(const Pair& pair, const std::vector<std::string>& outputs) {
  Json values = Json::array();
  for (Index a = 0; a < kMapGrid; ++a)
    values.push_back(to_short_array(pair.values.row(a).transpose()));
  const double share = pair.together / pair.all();
  return {{"i", pair.i},
          {"j", pair.j},
          {"output", outputs[static_cast<std::size_t>(pair.output)]},
          {"s", to_short_array(pair.s)},
          {"t", to_short_array(pair.t)},
          {"values", values},
          {"share", share * share}};
}

}  // namespace

Json direction_maps(const SavedModel& saved, const Along& along) {
  std::vector<Pair> pairs;
  for (Index i = 0; i < along.count(); ++i) {
    for (Index j = i + 1; j < along.count(); ++j)
      pairs.push_back(pair_of(along, i, j, saved.model.n_classes() == 2));
  }
  double largest = 0;
  for (const Pair& pair : pairs) largest = std::max(largest, pair.all());
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.together > b.together; });
  std::vector<Json> through(static_cast<std::size_t>(along.count()));
  Json maps = Json::array();
  const std::vector<std::string> outputs = output_names(saved);
  for (const Pair& pair : pairs) {
    if (maps.size() == kMostMaps || !(pair.together > kLeastTogether * largest)) break;
    const auto acts = [&](Index a, Index partner, double alone) {
      Json& found = through[static_cast<std::size_t>(a)];
      if (found.is_null() && pair.together > alone) found = partner;
    };
    acts(pair.i, pair.j, pair.alone_i);
    acts(pair.j, pair.i, pair.alone_j);
    maps.push_back(pair_json(pair, outputs));
  }
  return {{"maps", maps}, {"through", through}, {"pairs", pairs.size()}};
}

}  // namespace bkernn::report
