#include "bkernn/folds.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

using RowList = std::vector<Index>;

// Rows that stay together: groups, in the order of their first rows, or single rows.
std::vector<RowList> make_bundles(const RowList& rows, const std::vector<Index>& groups) {
  std::vector<RowList> bundles;
  std::map<Index, std::size_t> bundle_of_group;
  for (const Index row : rows) {
    if (groups.empty()) {
      bundles.push_back({row});
      continue;
    }
    const auto [found, is_new] = bundle_of_group.try_emplace(groups[row], bundles.size());
    if (is_new) bundles.emplace_back();
    bundles[found->second].push_back(row);
  }
  return bundles;
}

void put(const RowList& bundle, int fold, std::vector<int>& fold_of_row) {
  for (const Index row : bundle) fold_of_row[row] = fold;
}

void cut_in_blocks(const std::vector<RowList>& bundles, Index total, int k,
                   std::vector<int>& folds) {
  Index before = 0;
  for (const RowList& bundle : bundles) {
    put(bundle, static_cast<int>(before * k / total), folds);
    before += static_cast<Index>(bundle.size());
  }
}

// Groups from the largest to the smallest, each to the fold that has the fewest rows.
void deal_groups(std::vector<RowList> bundles, int k, Rng& rng, std::vector<int>& folds) {
  RowList order(bundles.size());
  std::iota(order.begin(), order.end(), Index{0});
  rng.shuffle(order);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return bundles[a].size() > bundles[b].size(); });
  std::vector<std::size_t> sizes(k, 0);
  for (const Index u : order) {
    const auto smallest = std::min_element(sizes.begin(), sizes.end());
    put(bundles[u], static_cast<int>(smallest - sizes.begin()), folds);
    *smallest += bundles[u].size();
  }
}

// Shuffled rows in turn; with classes, class after class.
void deal_rows(RowList rows, const MatrixView* classes, int k, Rng& rng, std::vector<int>& folds) {
  rng.shuffle(rows);
  if (classes != nullptr) {
    const auto class_of = [&](Index row) {
      Index best = 0;
      classes->row(row).maxCoeff(&best);
      return classes->cols() == 1 ? static_cast<Index>((*classes)(row, 0)) : best;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return class_of(a) < class_of(b); });
  }
  for (std::size_t i = 0; i < rows.size(); ++i) folds[rows[i]] = static_cast<int>(i % k);
}

void check_folds(const std::vector<int>& fold_of_row, const RowList& rows, int k) {
  std::vector<Index> sizes(k, 0);
  for (const Index row : rows) {
    if (fold_of_row[row] >= 0) ++sizes[fold_of_row[row]];
  }
  for (int fold = 0; fold < k; ++fold) {
    require(sizes[fold] >= 1, "n_folds", k, "fold " + std::to_string(fold) + " would have no row");
    require(static_cast<Index>(rows.size()) - sizes[fold] >= 2, "n_folds", k,
            "fold " + std::to_string(fold) + " would leave fewer than 2 rows to train on");
  }
}

}  // namespace

std::vector<int> assign_folds(const MatrixView& Y, const FoldOptions& options,
                              bool classification) {
  const Index n = Y.rows();
  const int k = options.n_folds;
  RowList rows(n);
  std::iota(rows.begin(), rows.end(), Index{0});
  std::vector<int> folds(n, -1);
  if (!options.fold_of_row.empty()) {
    for (const Index row : rows) {
      const int fold = options.fold_of_row[row];
      require(fold >= -1 && fold < k, "fold_of_row", fold, "must lie between -1 and n_folds - 1");
      folds[row] = fold;
    }
    check_folds(folds, rows, k);
    return folds;
  }
  const std::vector<Index>& groups = options.groups;
  const std::vector<RowList> bundles = make_bundles(rows, groups);
  require(static_cast<int>(bundles.size()) >= k, "n_folds", k,
          std::string("must not exceed the number of ") + (groups.empty() ? "rows, " : "groups, ") +
              std::to_string(bundles.size()));
  Rng rng(options.seed);
  if (options.folds == "contiguous") {
    cut_in_blocks(bundles, static_cast<Index>(rows.size()), k, folds);
  } else if (!groups.empty()) {
    deal_groups(bundles, k, rng, folds);
  } else {
    deal_rows(rows, classification && options.stratify ? &Y : nullptr, k, rng, folds);
  }
  check_folds(folds, rows, k);
  return folds;
}

}  // namespace bkernn
