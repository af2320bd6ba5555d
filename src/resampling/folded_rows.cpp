#include "resampling/folded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "rows/row_order.hpp"

namespace bkernn {
namespace {

DistinctRows part_where(const FoldedRows& all, const std::function<bool(int)>& in) {
  std::vector<Index> which;
  for (std::size_t k = 0; k < all.fold.size(); ++k) {
    if (in(all.fold[k])) which.push_back(static_cast<Index>(k));
  }
  return all.rows.part(which);
}

// The folds of some rows of the input.
std::vector<int> assign(const FitInput& input, const DistinctRows& rows,
                        const CrossValidateOptions& options, const std::vector<int>& given,
                        bool classes) {
  FoldOptions here = options;
  here.fold_of_row.clear();
  here.groups.clear();
  for (const Index i : rows.rows) {
    if (!given.empty()) here.fold_of_row.push_back(given[i]);
    if (!options.groups.empty()) here.groups.push_back(options.groups[i]);
  }
  return assign_folds(input.Y(rows.rows, Eigen::all).eval(), here, classes);
}

}  // namespace

FoldedRows::FoldedRows(const FitInput& input, DistinctRows all, std::vector<int> folds, int n_folds)
    : rows(std::move(all)), fold(std::move(folds)) {
  for (int k = 0; k < n_folds; ++k) {
    DistinctRows one = part_where(*this, [&](int f) { return f == k; });
    held_out.push_back(
        {input.X(one.rows, Eigen::all), input.Y(one.rows, Eigen::all), std::move(one)});
  }
}

DistinctRows FoldedRows::without(int k) const {
  return part_where(*this, [&](int f) { return f != k; });
}

FoldedRows deal_folds(const FitInput& input, const std::vector<FitOptions>& candidates,
                      const CrossValidateOptions& options, bool classes) {
  std::vector<int> given = options.fold_of_row;
  if (given.empty() && options.folds == "contiguous") {
    const DistinctRows positive = rows_above(0, input);
    given = folds_of_input(positive, assign(input, positive, options, {}, classes));
  }
  const auto on_knots = std::find_if(candidates.begin(), candidates.end(),
                                     [](const FitOptions& one) { return one.knots > 0; });
  const FitOptions& merging = on_knots == candidates.end() ? candidates.front() : *on_knots;
  DistinctRows rows = distinct_rows(
      input, merging,
      given.empty() ? options.groups : std::vector<Index>(given.begin(), given.end()));
  std::vector<int> folds = assign(input, rows, options, given, classes);
  return {input, std::move(rows), std::move(folds), options.n_folds};
}

std::vector<int> folds_of_input(const DistinctRows& rows, const std::vector<int>& folds) {
  std::vector<int> all(rows.place.size(), -1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rows.place[i] >= 0) all[i] = folds[rows.place[i]];
  }
  return all;
}

FoldedRows draw_sample(const FitInput& input, const FoldedRows& all, const StandardRows& standard,
                       Index count, std::uint64_t seed) {
  const auto n_folds = static_cast<int>(all.held_out.size());
  std::vector<std::vector<Index>> members(n_folds + 1);  // of each fold, and of none
  for (const Index row : row_order(standard))
    members[all.fold[row] < 0 ? n_folds : all.fold[row]].push_back(row);
  const double share = static_cast<double>(count) / static_cast<double>(all.rows.size());
  std::vector<Index> drawn;
  for (const std::vector<Index>& order : members) {
    const auto size = static_cast<Index>(order.size());
    const auto wanted = static_cast<Index>(std::ceil(share * static_cast<double>(size)));
    const std::vector<Index> some = draw_along(order, std::min(size, wanted), seed++);
    drawn.insert(drawn.end(), some.begin(), some.end());
  }
  std::sort(drawn.begin(), drawn.end());
  std::vector<int> folds(drawn.size());
  std::transform(drawn.begin(), drawn.end(), folds.begin(),
                 [&](Index row) { return all.fold[row]; });
  return {input, all.rows.part(drawn), std::move(folds), n_folds};
}

}  // namespace bkernn
