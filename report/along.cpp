#include "report/along.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace bkernn::report {
namespace {

constexpr Index kMostDrawnRows = 1200;
constexpr Index kRowsOfCurves = 200, kRowsOfSurfaces = 40;

Matrix standardized(const Model& model, const Matrix& X) {
  return (X.rowwise() - model.center).array().rowwise() / model.scale.array();
}

Matrix original(const Model& model, const Matrix& Z) {
  return (Z.array().rowwise() * model.scale.array()).matrix().rowwise() + model.center;
}

}  // namespace

std::vector<Index> some_rows(Index n, Index most) {
  std::vector<Index> rows;
  const Index count = std::min(n, most);
  for (Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  return rows;
}

std::vector<std::string> output_names(const SavedModel& saved) {
  std::vector<std::string> names = short_output_names(saved);
  if (saved.model.n_classes() > 0) {
    for (std::string& name : names) name.insert(0, "probability of ");
  }
  return names;
}

std::vector<std::string> short_output_names(const SavedModel& saved) {
  const Model& model = saved.model;
  std::vector<std::string> names = model.class_names;
  for (auto k = static_cast<Index>(names.size()); k < model.n_classes(); ++k)
    names.push_back(std::to_string(k));
  if (!names.empty()) return names;
  const bool one = model.n_outputs() == 1 || !model.quantiles.empty();
  for (Index k = 0; k < model.n_outputs(); ++k) {
    const std::string target = !saved.target_names.empty() ? saved.target_names[k]
                               : one                       ? "y"
                                                           : "y" + std::to_string(k + 1);
    names.push_back(model.quantiles.empty()
                        ? target
                        : short_number(100 * model.quantiles[k]) + "% quantile of " + target);
  }
  return names;
}

Along::Along(const SavedModel& saved, Index count, const tables::DataSet* data)
    : model_(saved.model) {
  if (count > 0) directions_ = model_.directions(count);
  rows_ = Matrix::Zero(1, model_.n_features());
  if (data == nullptr) return;
  drawn_ = some_rows(data->X.rows(), kMostDrawnRows);
  rows_ = standardized(model_, data->X(drawn_, Eigen::all));
  positions_ = rows_ * directions_;
}

// Without data by the knots of the particle that follows the direction most closely.
std::pair<double, double> Along::range(Index i) const {
  if (!drawn_.empty()) return {positions_.col(i).minCoeff(), positions_.col(i).maxCoeff()};
  Index best = 0;
  const Vector along = (directions_.col(i).transpose() * model_.W).transpose();
  (along.array().abs() / model_.W.colwise().norm().transpose().array()).maxCoeff(&best);
  const Vector& knots = model_.functions[static_cast<std::size_t>(best)].knots;
  const double length = (along(best) < 0 ? -1 : 1) * model_.W.col(best).norm();
  const double a = knots(0) / length, b = knots(knots.size() - 1) / length;
  return {std::min(a, b), std::max(a, b)};
}

RowVector Along::average(const Matrix& moved) const {
  return model_.predict_response(original(model_, moved)).colwise().mean();
}

Matrix Along::curve(Index i, const Vector& t) const {
  const Matrix rows = rows_(some_rows(rows_.rows(), kRowsOfCurves), Eigen::all);
  const Vector u = directions_.col(i), position = rows * u;
  Matrix found;
  for (Index a = 0; a < t.size(); ++a) {
    const RowVector one = average(rows + (t(a) - position.array()).matrix() * u.transpose());
    if (a == 0) found.resize(t.size(), one.size());
    found.row(a) = one;
  }
  return found;
}

Matrix Along::surface(Index i, Index j, const Vector& s, const Vector& t) const {
  const Matrix rows = rows_(some_rows(rows_.rows(), kRowsOfSurfaces), Eigen::all);
  const Vector u = directions_.col(i), v = directions_.col(j);
  const Vector at_u = rows * u, at_v = rows * v;
  Matrix found;
  for (Index a = 0; a < s.size(); ++a) {
    const Matrix moved = rows + (s(a) - at_u.array()).matrix() * u.transpose();
    for (Index b = 0; b < t.size(); ++b) {
      const RowVector one = average(moved + (t(b) - at_v.array()).matrix() * v.transpose());
      if (a == 0 && b == 0) found.resize(s.size() * t.size(), one.size());
      found.row(a * t.size() + b) = one;
    }
  }
  return found;
}

}  // namespace bkernn::report
