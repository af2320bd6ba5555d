#include "bkernn/distinct_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "bkernn/loss.hpp"

namespace bkernn {
namespace {

constexpr double kNegligibleWeight = 1e-14;

// Rows in the order of their keys, equal ones in the order of the input.
struct Order {
  std::vector<Index> rows;
  std::vector<bool> repeats;  // whether a row equals the one before it
  bool distinct = true;
};

// Sorts by the first key, then each run of equal ones by the next key, and so on until nothing is
// equal: key(c, i) for c < keys.
Order sort_rows(std::vector<Index> rows, Index keys,
                const std::function<double(Index, Index)>& key) {
  struct Run {
    std::size_t begin, end;
  };
  struct Entry {
    double value;
    Index row;
  };
  std::vector<Run> runs{{0, rows.size()}};
  std::vector<Entry> entries;
  for (Index c = 0; c < keys && !runs.empty(); ++c) {
    std::vector<Run> equal;
    for (const Run& run : runs) {
      entries.clear();
      for (std::size_t i = run.begin; i < run.end; ++i)
        entries.push_back({key(c, rows[i]), rows[i]});
      std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.value < b.value || (a.value == b.value && a.row < b.row);
      });
      for (std::size_t i = 0; i < entries.size(); ++i) rows[run.begin + i] = entries[i].row;
      for (std::size_t first = 0, i = 1; i <= entries.size(); ++i) {
        if (i < entries.size() && entries[i].value == entries[first].value) continue;
        if (i - first > 1) equal.push_back({run.begin + first, run.begin + i});
        first = i;
      }
    }
    runs = std::move(equal);
  }
  Order order{std::move(rows), {}, runs.empty()};
  order.repeats.assign(order.rows.size(), false);
  for (const Run& run : runs) {
    for (std::size_t i = run.begin + 1; i < run.end; ++i) order.repeats[i] = true;
  }
  return order;
}

Order order_rows(const FitInput& input, const std::vector<Index>& rows, bool one_hot,
                 const std::vector<Index>& labels) {
  const Index d = input.X.cols(), q = input.Y.cols();
  // One-hot rows stand in the order of their classes.
  const double sign = one_hot ? -1 : 1;
  return sort_rows(rows, d + q + (labels.empty() ? 0 : 1), [&](Index c, Index i) {
    if (c < d) return input.X(i, c);
    return c < d + q ? sign * input.Y(i, c - d) : static_cast<double>(labels[i]);
  });
}

}  // namespace

DistinctRows DistinctRows::part(const std::vector<Index>& which) const {
  DistinctRows some;
  for (const Index k : which) some.rows.push_back(rows[k]);
  if (weights.size() > 0) some.weights = weights(which);
  return some;
}

void DistinctRows::drop_negligible() {
  if (weights.size() == 0) return;
  const double least = kNegligibleWeight * weights.maxCoeff();
  std::vector<Index> kept, new_place(rows.size(), -1);
  for (Index k = 0; k < size(); ++k) {
    if (!(weights(k) > least)) continue;
    new_place[k] = static_cast<Index>(kept.size());
    kept.push_back(k);
  }
  if (static_cast<Index>(kept.size()) == size()) return;
  for (Index& where : place) {
    if (where >= 0) where = new_place[where];
  }
  DistinctRows some = part(kept);
  rows = std::move(some.rows);
  weights = std::move(some.weights);
}

Matrix DistinctRows::spread(const Matrix& alpha, const Vector* given) const {
  Matrix all = Matrix::Zero(static_cast<Index>(place.size()), alpha.cols());
  for (Index i = 0; i < all.rows(); ++i) {
    if (place[i] < 0) continue;
    const double own = given == nullptr ? 1.0 : (*given)(i);
    all.row(i) = alpha.row(place[i]) * (weights.size() > 0 ? own / weights(place[i]) : 1.0);
  }
  return all;
}

DistinctRows positive_rows(const FitInput& input) {
  const Index n = input.X.rows();
  DistinctRows found;
  found.place.assign(n, -1);
  bool weighted = false;
  for (Index i = 0; i < n; ++i) {
    const double weight = input.weights == nullptr ? 1.0 : (*input.weights)(i);
    if (!(weight > 0)) continue;
    weighted = weighted || weight != 1;
    found.place[i] = found.size();
    found.rows.push_back(i);
  }
  if (weighted) found.weights = (*input.weights)(found.rows);
  return found;
}

DistinctRows distinct_rows(const FitInput& input, const FitOptions& options,
                           const std::vector<Index>& labels) {
  DistinctRows found = positive_rows(input);
  if (options.knots > 0) return found;
  const bool weighted = found.weights.size() > 0;
  const bool one_hot = make_loss(options.loss, options.loss_parameters)->coupled();
  const Order order = order_rows(input, found.rows, one_hot, labels);
  const auto count = std::count(order.repeats.begin(), order.repeats.end(), false);
  if (count < 2 || (!weighted && order.distinct)) return found;
  DistinctRows merged;
  merged.place.assign(input.X.rows(), -1);
  merged.weights.setZero(count);
  for (std::size_t k = 0; k < order.rows.size(); ++k) {
    const Index i = order.rows[k];
    if (!order.repeats[k]) merged.rows.push_back(i);
    merged.place[i] = merged.size() - 1;
    merged.weights(merged.place[i]) += weighted ? (*input.weights)(i) : 1.0;
  }
  return merged;
}

}  // namespace bkernn
