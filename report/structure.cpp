#include "report/structure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/text.hpp"
#include "tables/table.hpp"

namespace bkernn::report {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

Structure structure_of(const Model& model) {
  Structure structure;
  structure.variables = model.selects_variables();
  structure.values = structure.variables ? model.column_sizes() : model.singular_values();
  structure.dimension = model.dimension();
  const double largest = structure.values.size() > 0 ? structure.values.maxCoeff() : 0;
  structure.rank = largest > 0 ? (structure.values.array() > kRounding * largest).count() : 0;
  Vector sizes = structure.values;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const double total = sizes.sum();
  structure.share = total > 0 ? sizes.head(structure.dimension).sum() / total : 0.0;
  structure.names = model.feature_names;
  if (structure.names.empty()) structure.names = tables::numbered_names("x", model.n_columns());
  return structure;
}

std::string describe(const Structure& structure, Index n_features) {
  if (structure.values.size() == 0 || structure.values.maxCoeff() <= 0) {
    return "no direction matters: the model is constant";
  }
  return count_of(structure.dimension, structure.variables ? "variable" : "direction") +
         (structure.dimension == 1 ? " carries " : " carry ") +
         std::to_string(std::lround(100 * structure.share)) + "% of the weight (of " +
         count_of(n_features, "variable") + ")";
}

}  // namespace bkernn::report
