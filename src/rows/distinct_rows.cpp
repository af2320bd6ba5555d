#include "bkernn/distinct_rows.hpp"

#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "bkernn/loss.hpp"

namespace bkernn {
namespace {

// What makes rows equal: X, Y and the label, column after column.
struct Keys {
  const FitInput& input;
  const std::vector<Index>& labels;
  double sign;  // of Y: one-hot rows stand in the order of their classes

  Index count() const { return input.X.cols() + input.Y.cols() + (labels.empty() ? 0 : 1); }
  double operator()(Index c, Index i) const {
    const Index d = input.X.cols(), q = input.Y.cols();
    if (c < d) return input.X(i, c);
    return c < d + q ? sign * input.Y(i, c - d) : static_cast<double>(labels[i]);
  }
  bool equal(Index i, Index k) const {
    Index c = 0;
    while (c < count() && (*this)(c, i) == (*this)(c, k)) ++c;
    return c == count();
  }
};

struct HashedRow {
  std::uint64_t hash;
  Index row;
};

std::vector<HashedRow> hash_rows(const Keys& keys, const std::vector<Index>& rows) {
  const auto n = static_cast<Index>(rows.size());
  std::vector<HashedRow> hashed(rows.size());
  parallel_rows(n, 3 * static_cast<double>(keys.count()), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) hashed[k] = {0, rows[k]};
    for (Index c = 0; c < keys.count(); ++c) {
      for (Index k = begin; k < end; ++k) {
        const double value = keys(c, rows[k]) + 0.0;  // −0 is 0
        hashed[k].hash = mix(hashed[k].hash, std::bit_cast<std::uint64_t>(value));
      }
    }
  });
  return hashed;
}

// For each row the first one that equals it: rows of equal hash are compared.
std::vector<Index> first_copies(const Keys& keys, const std::vector<Index>& rows) {
  std::vector<HashedRow> hashed = hash_rows(keys, rows);
  std::sort(hashed.begin(), hashed.end(), [](const HashedRow& a, const HashedRow& b) {
    return a.hash < b.hash || (a.hash == b.hash && a.row < b.row);
  });
  std::vector<Index> first(keys.input.X.rows(), -1), firsts;
  for (std::size_t k = 0; k < hashed.size(); ++k) {
    if (k == 0 || hashed[k].hash != hashed[k - 1].hash) firsts.clear();
    const Index row = hashed[k].row;
    const auto same =
        std::find_if(firsts.begin(), firsts.end(), [&](Index i) { return keys.equal(i, row); });
    first[row] = same == firsts.end() ? row : *same;
    if (same == firsts.end()) firsts.push_back(row);
  }
  return first;
}

// Sorts rows that are all different: by the first key, then each run of equal ones by the next key,
// and so on until nothing is equal.
void sort_rows(const Keys& keys, std::vector<Index>& rows) {
  struct Run {
    std::size_t begin, end;
  };
  struct Entry {
    double value;
    Index row;
  };
  std::vector<Run> runs{{0, rows.size()}};
  std::vector<Entry> entries;
  for (Index c = 0; !runs.empty(); ++c) {
    std::vector<Run> equal;
    for (const Run& run : runs) {
      entries.clear();
      for (std::size_t i = run.begin; i < run.end; ++i)
        entries.push_back({keys(c, rows[i]), rows[i]});
      std::sort(entries.begin(), entries.end(),
                [](const Entry& a, const Entry& b) { return a.value < b.value; });
      for (std::size_t i = 0, first = 0; i < entries.size(); ++i) {
        rows[run.begin + i] = entries[i].row;
        const bool ends = i + 1 == entries.size() || entries[i + 1].value != entries[i].value;
        if (ends && i > first) equal.push_back({run.begin + first, run.begin + i + 1});
        if (ends) first = i + 1;
      }
    }
    runs = std::move(equal);
  }
}

}  // namespace

DistinctRows DistinctRows::part(const std::vector<Index>& which) const {
  DistinctRows some;
  for (const Index k : which) some.rows.push_back(rows[k]);
  if (weights.size() > 0) some.weights = weights(which);
  return some;
}

Matrix DistinctRows::share_out(const Matrix& alpha, const Vector* given) const {
  Matrix all = Matrix::Zero(static_cast<Index>(place.size()), alpha.cols());
  for (Index i = 0; i < all.rows(); ++i) {
    if (place[i] < 0) continue;
    const double own = given == nullptr ? 1.0 : (*given)(i);
    all.row(i) = alpha.row(place[i]) * (weights.size() > 0 ? own / weights(place[i]) : 1.0);
  }
  return all;
}

DistinctRows rows_above(double least, const FitInput& input) {
  const Index n = input.X.rows();
  DistinctRows found;
  found.place.assign(n, -1);
  bool weighted = false;
  for (Index i = 0; i < n; ++i) {
    const double weight = input.weights == nullptr ? 1.0 : (*input.weights)(i);
    if (!(weight > least)) continue;
    weighted = weighted || weight != 1;
    found.place[i] = found.size();
    found.rows.push_back(i);
  }
  if (weighted) found.weights = (*input.weights)(found.rows);
  return found;
}

DistinctRows distinct_rows(const FitInput& input, const FitOptions& options,
                           const std::vector<Index>& labels) {
  const bool one_alpha_per_row = options.knots == 0 || options.inner_solver == "cholesky";
  const bool drops = one_alpha_per_row && input.weights != nullptr;
  DistinctRows found =
      rows_above(drops ? kNegligibleWeight * input.weights->maxCoeff() : 0.0, input);
  if (options.knots > 0) return found;
  const bool weighted = found.weights.size() > 0;
  const bool one_hot = make_loss(options.loss, options.loss_parameters)->coupled();
  const Keys keys{input, labels, one_hot ? -1.0 : 1.0};
  const std::vector<Index> first = first_copies(keys, found.rows);
  DistinctRows merged;
  for (const Index i : found.rows) {
    if (first[i] == i) merged.rows.push_back(i);
  }
  if (merged.size() < 2) return found;
  sort_rows(keys, merged.rows);
  merged.place.assign(input.X.rows(), -1);
  for (Index k = 0; k < merged.size(); ++k) merged.place[merged.rows[k]] = k;
  if (!weighted && merged.size() == found.size()) return merged;
  merged.weights.setZero(merged.size());
  for (const Index i : found.rows) {
    merged.place[i] = merged.place[first[i]];
    merged.weights(merged.place[i]) += weighted ? (*input.weights)(i) : 1.0;
  }
  return merged;
}

}  // namespace bkernn
