#include "bkernn/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>

#include "base/check_values.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/penalty.hpp"
#include "loops/projections.hpp"
#include "model/expansion.hpp"

namespace bkernn {
namespace {

// Rows at a time: the tables of a function are fetched once for so many.
constexpr Index kLeastRows = 512, kMostRows = 4096;
// A table that finds segments pays from one row for so many knots: a search in many knots waits for
// memory at every step.
constexpr Index kKnotsPerRow = 5;
// What a model may hold, so that nothing overflows on the way to a prediction (see validate()).
constexpr double kLargestDirection = 1e150, kLargestValue = 1e200, kLargestProjection = 1e300;

template <class Values>
void require_sizes(const Values& values, double most, const char* name) {
  require(values.allFinite(), name, "NaN or infinite", "every value must be finite");
  if (values.size() == 0 || values.cwiseAbs().maxCoeff() <= most) return;
  Index row = 0, column = 0;
  values.cwiseAbs().maxCoeff(&row, &column);
  std::ostringstream constraint;
  constraint << "must not exceed " << most << " in size";
  require(false, name, values(row, column), constraint.str());
}

}  // namespace

Matrix Model::predict(const MatrixView& X, int n_threads) const {
  require(X.cols() == n_features(), "X", std::to_string(X.cols()) + " columns",
          "the model was fitted on " + std::to_string(n_features()));
  const Index n = X.rows(), d = n_features(), count = W.cols();
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  const double share = n_particles > 0 ? 1.0 / static_cast<double>(n_particles) : 0.0;
  std::vector<std::optional<SegmentFinder>> knots(functions.size());
  Matrix F(n, n_outputs());
  const ThreadLimit limit(n_threads);
  double all_knots = 0;
  for (const RidgeFunction& h : functions) all_knots += static_cast<double>(h.knots.size());
  parallel_for(count, all_knots, [&](Index j) {
    const Vector& t = functions[j].knots;
    knots[j].emplace(t.size(), t.data(), n > t.size() / kKnotsPerRow);
  });
  const double cost =
      static_cast<double>(n) * static_cast<double>(count * (d + 30 * n_outputs()) + d);
  const Index wide = std::clamp(n / 16, kLeastRows, kMostRows);
  parallel_for((n + wide - 1) / wide, cost, [&](Index block) {
    const Index begin = block * wide, rows = std::min(wide, n - begin);
    const auto x = X.middleRows(begin, rows);
    Matrix Z = (x.rowwise() - center).array().rowwise() / scale.array();
    if (!x.allFinite()) {
      require(!x.array().isInf().any(), "X", "infinite", "every value must be finite, or NaN");
      Z = x.array().isNaN().select(0.0, Z);
    }
    Matrix P(rows, count);
    loops::project(rows, d, count, Z.data(), rows, W.data(), d, P.data(), rows);
    require(P.allFinite(), "X", x.cwiseAbs().maxCoeff(),
            "is too far from the rows of the fit: its projections overflow");
    Vector h(rows);
    auto out = F.middleRows(begin, rows);
    out = intercept.replicate(rows, 1);
    for (Index j = 0; j < count; ++j) {
      const RidgeFunction& function = functions[j];
      for (Index q = 0; q < n_outputs(); ++q) {
        k->evaluate(*knots[j], function.values.col(q).data(), rows, P.col(j).data(), h.data());
        out.col(q) += share * h;
      }
    }
  });
  return F;
}

Matrix Model::encode(const MixedRows& rows) const {
  if (!encoder.empty()) return encoder.encode(rows, feature_names);
  for (const auto& [column, category] : rows.categories) {
    const auto a = static_cast<std::size_t>(column);
    const std::string name = a < feature_names.size() ? "column \"" + feature_names[a] + "\""
                                                      : "column " + std::to_string(column + 1);
    require(false, name.c_str(), "words", "training had numbers there");
  }
  return rows.values;
}

Matrix Model::predict(const MixedRows& rows, int n_threads) const {
  return predict(encode(rows), n_threads);
}

Matrix Model::predict_response(const MatrixView& X, int n_threads) const {
  Matrix response = make_loss(loss)->response(predict(X, n_threads));
  if (!quantiles.empty()) {
    for (auto row : response.rowwise()) std::sort(row.begin(), row.end());
  }
  return response;
}

Matrix Model::evaluate(Index j, const Vector& p) const {
  require(j >= 0 && j < static_cast<Index>(functions.size()), "j", j,
          "must be the index of an active particle");
  const RidgeFunction& h = functions[static_cast<std::size_t>(j)];
  const SegmentFinder knots(h.knots.size(), h.knots.data(), false);
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  Matrix values(p.size(), n_outputs());
  for (Index q = 0; q < values.cols(); ++q)
    k->evaluate(knots, h.values.col(q).data(), p.size(), p.data(), values.col(q).data());
  return values;
}

Index Model::n_classes() const {
  return make_loss(loss)->n_classes(n_outputs());
}

bool Model::selects_variables() const {
  return make_penalty(penalty)->selects_variables();
}

Vector Model::column_sizes() const {
  if (W.cols() == 0) return Vector::Zero(n_columns());
  if (encoder.empty()) return W.rowwise().norm();
  const std::vector<Index> begins = encoder.groups();
  Vector sizes(n_columns());
  for (Index a = 0; a < sizes.size(); ++a) {
    const Index first = begins[a], count = begins[a + 1] - first;
    const EncodedColumn& column = encoder.columns[a];
    const auto rows = W.middleRows(first, count);
    sizes(a) = rows.norm();
    if (!column.category) continue;
    const Matrix z =
        (encoder.outcome_rows(a).rowwise() - center.segment(first, count)).array().rowwise() /
        scale.segment(first, count).array();
    const Vector moved = (z * rows).rowwise().squaredNorm();
    sizes(a) = std::sqrt(column.outcomes().dot(moved));
  }
  return sizes;
}

Matrix Model::level_effects(Index column) const {
  require(column >= 0 && column < encoder.size() && encoder.columns[column].category, "column",
          column, "must be a category");
  const Matrix levels = encoder.outcome_rows(column);
  Matrix X = center.replicate(levels.rows(), 1);
  X.middleCols(encoder.groups()[column], levels.cols()) = levels;
  Matrix F = predict(X);
  const Vector shares = encoder.columns[column].outcomes();
  if (shares.size() > 0) F.rowwise() -= (shares.transpose() * F / shares.sum()).eval();
  return F;
}

std::vector<std::string> Model::coordinate_names() const {
  std::vector<std::string> names = feature_names;
  for (Index a = 0; feature_names.empty() && a < n_columns(); ++a)
    names.push_back("x" + std::to_string(a + 1));
  return encoder.coordinate_names(names);
}

Vector Model::importances() const {
  const Vector norms = column_sizes();
  const double total = norms.sum();
  return total > 0 ? Vector(norms / total) : norms;
}

Vector Model::singular_values() const {
  Vector values = Vector::Zero(std::min(n_features(), n_particles));
  if (W.cols() > 0) {
    const Vector found = left_singular(W).values;
    const Index rank = std::min(found.size(), values.size());
    values.head(rank) = found.head(rank);
  }
  return values;
}

Index dimension_of(const Vector& sizes, double threshold) {
  require(threshold >= 0 && threshold < 1, "threshold", threshold, "must lie in [0, 1)");
  const double largest = sizes.size() > 0 ? sizes.maxCoeff() : 0.0;
  return largest > 0 ? (sizes.array() > threshold * largest).count() : 0;
}

Index Model::n_directions() const {
  return counted ? counted->directions : dimension_of(singular_values());
}

Index Model::n_variables() const {
  return counted ? counted->variables : dimension_of(importances());
}

Index Model::dimension() const {
  return selects_variables() ? n_variables() : n_directions();
}

Index Model::dimension(double threshold) const {
  return dimension_of(selects_variables() ? importances() : singular_values(), threshold);
}

Index Model::rank() const {
  if (W.cols() == 0) return 0;
  if (selects_variables()) return (column_sizes().array() > 0).count();
  const Vector values = left_singular(W).values;
  return (values.array() > 1e-12 * values(0)).count();
}

Matrix Model::directions(Index k) const {
  const Index d = n_features(), most = rank();
  require(k >= 1 && k <= most, "k", k,
          "must lie between 1 and the rank of W, " + std::to_string(most));
  if (!selects_variables()) return left_singular(W).vectors.leftCols(k);
  const Vector norms = column_sizes();
  std::vector<Index> order(n_columns());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return norms(a) > norms(b); });
  const std::vector<Index> begins = encoder.groups();
  Matrix P = Matrix::Zero(d, k);
  for (Index i = 0; i < k; ++i) {
    const Index a = order[i];
    const Index first = encoder.empty() ? a : begins[a];
    const Index count = encoder.empty() ? 1 : begins[a + 1] - first;
    if (count == 1) {
      P(first, i) = 1;
    } else {
      P.col(i).segment(first, count) = left_singular(W.middleRows(first, count)).vectors.col(0);
    }
  }
  return P;
}

Matrix Model::weights_in_original_units() const {
  return scale.cwiseInverse().asDiagonal() * W;
}

void Model::validate() const {
  make_kernel(kernel);
  const std::unique_ptr<Loss> l = make_loss(loss);
  make_penalty(penalty);
  const Index d = n_features(), q = n_outputs();
  require(d >= 1, "center", d, "there must be at least one variable");
  require(q >= 1, "intercept", q, "there must be at least one output");
  require(!l->classifies() || l->class_outputs(n_classes()) == q, "intercept", q,
          "the " + loss + " loss has another number of outputs");
  require(scale.size() == d, "scale", scale.size(), "must have one entry per variable");
  require((scale.array() > 0).all(), "scale", scale.minCoeff(), "every entry must be positive");
  require(W.cols() <= n_particles, "n_particles", n_particles,
          "must be at least the number of active particles");
  require(W.cols() == 0 || W.rows() == d, "W", W.rows(), "must have one row per variable");
  require(static_cast<Index>(functions.size()) == W.cols(), "functions", functions.size(),
          "must be one per active particle");
  require_sizes(center, kLargestValue, "center");
  require_sizes(W, kLargestDirection, "W");
  require_sizes(intercept, kLargestValue, "intercept");
  const double least = scale.minCoeff(), most = scale.maxCoeff();
  require(least >= 1 / kLargestValue && most <= kLargestValue, "scale",
          least < 1 / kLargestValue ? least : most, "must lie between 1e-200 and 1e+200");
  const RowVector reach = (center.cwiseAbs().array() + kLargestInput) / scale.array();
  require(W.cols() == 0 || (reach * W.cwiseAbs()).maxCoeff() <= kLargestProjection, "scale", least,
          "gives no finite projection of x up to 1e+100 on the directions W");
  validate_expansions(*this);
  for (const RidgeFunction& h : functions) {
    require(h.knots.size() >= 1 && h.values.rows() == h.knots.size() && h.values.cols() == q,
            "functions", std::to_string(h.values.rows()) + "x" + std::to_string(h.values.cols()),
            "values must be one row per knot and one column per output");
    require_sizes(h.knots, kLargestProjection, "knots");
    require_sizes(h.values, kLargestValue, "values");
    const auto last = h.knots.end();
    const auto wrong = std::adjacent_find(h.knots.begin(), last, std::greater_equal<>());
    require(wrong == last, "knots", wrong == last ? 0.0 : *wrong, "must increase strictly");
  }
  require(quantiles.empty() || static_cast<Index>(quantiles.size()) == q, "quantiles",
          quantiles.size(), "must be empty or one per output");
  require(tolerance.size() == 0 || tolerance.size() == q, "tolerance", tolerance.size(),
          "must be empty or one per output");
  for (const double moved : tolerance)
    require(moved >= 0 && moved <= kLargestValue, "tolerance", moved,
            "must be at least 0, and finite");
  for (const double level : quantiles)
    require(level > 0 && level < 1, "quantiles", level, "must lie strictly between 0 and 1");
  const auto names_fit = [](const auto& names, Index n) {
    return names.empty() || static_cast<Index>(names.size()) == n;
  };
  encoder.validate();
  require(encoder.empty() || encoder.coordinates() == d, "encoder", encoder.coordinates(),
          "must have as many coordinates as there are variables, " + std::to_string(d));
  require(names_fit(feature_names, n_columns()), "feature_names", feature_names.size(),
          "must be empty or one per column");
  require(names_fit(class_names, n_classes()), "class_names", class_names.size(),
          "must be empty or one per class");
  if (calibration != nullptr) calibration->validate(*this);
}

}  // namespace bkernn
