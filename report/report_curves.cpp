#include "report/report_curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/summary.hpp"

namespace bkernn::report {
namespace {

constexpr Index kGrid = 81;
constexpr Index kMostPoints = 1200;
constexpr Index kRowsToAverage = 200;
constexpr Index kMostKnots = 240;
constexpr Index kMostOutputs = 6;
constexpr double kSameDirection = 0.97;  // cosine

Matrix standardized(const Model& model, const Matrix& X) {
  return (X.rowwise() - model.center).array().rowwise() / model.scale.array();
}

Matrix original(const Model& model, const Matrix& Z) {
  return (Z.array().rowwise() * model.scale.array()).matrix().rowwise() + model.center;
}

// One column per output: of two classes with one output only the second, as the first is its
// complement.
Matrix shown_outputs(const Model& model, const Matrix& response) {
  return response.rightCols(model.n_outputs()).leftCols(std::min(model.n_outputs(), kMostOutputs));
}

// Where the direction was seen in training: by the knots of the particle that follows it most
// closely.
std::pair<double, double> range_of(const Model& model, const Vector& direction) {
  Index best = 0;
  const Vector along = (direction.transpose() * model.W).transpose();
  (along.array().abs() / model.W.colwise().norm().transpose().array()).maxCoeff(&best);
  const Vector& knots = model.functions[best].knots;
  const double length = model.W.col(best).norm();
  const double sign = along(best) < 0 ? -1 : 1;
  const double a = sign * knots(0) / length, b = sign * knots(knots.size() - 1) / length;
  return {std::min(a, b), std::max(a, b)};
}

Matrix curve(const Model& model, const Vector& direction, const Vector& t, const Matrix* rows) {
  if (rows == nullptr) {
    return shown_outputs(model, model.predict_response(original(model, t * direction.transpose())));
  }
  const Vector position = *rows * direction;
  Matrix averages;
  for (Index g = 0; g < t.size(); ++g) {
    const Matrix moved = *rows + (t(g) - position.array()).matrix() * direction.transpose();
    const Matrix shown = shown_outputs(model, model.predict_response(original(model, moved)));
    if (g == 0) averages.resize(t.size(), shown.cols());
    averages.row(g) = shown.colwise().mean();
  }
  return averages;
}

std::vector<std::string> output_names(const SavedModel& saved) {
  const Model& model = saved.model;
  const Index classes = model.n_classes();
  std::vector<std::string> names;
  for (Index k = 0; k < std::min(model.n_outputs(), kMostOutputs); ++k) {
    if (classes > 0) {
      const Index shown = classes - model.n_outputs() + k;
      names.push_back("probability of " + (model.class_names.empty() ? std::to_string(shown)
                                                                     : model.class_names[shown]));
    } else {
      names.push_back(saved.target_names.empty() ? "y" + std::to_string(k + 1)
                                                 : saved.target_names[k]);
    }
  }
  return names;
}

}  // namespace

std::vector<Index> some_rows(Index n, Index most) {
  std::vector<Index> rows;
  const Index count = std::min(n, most);
  for (Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  return rows;
}

Json direction_curves(const SavedModel& saved, Index count, const tables::DataSet* data) {
  const Model& model = saved.model;
  Json curves = Json::array();
  if (count == 0) return curves;
  const Matrix P = model.directions(count);
  Matrix Z, averaged;
  std::vector<Index> shown;
  if (data != nullptr) {
    shown = some_rows(data->X.rows(), kMostPoints);
    Z = standardized(model, data->X(shown, Eigen::all));
    averaged = Z(some_rows(Z.rows(), kRowsToAverage), Eigen::all);
  }
  for (Index i = 0; i < count; ++i) {
    const Vector direction = P.col(i);
    auto [low, high] = range_of(model, direction);
    Json one;
    if (data != nullptr) {
      const Vector position = Z * direction;
      low = position.minCoeff();
      high = position.maxCoeff();
      one["positions"] = to_array(position);
      if (data->Y.cols() == 1) one["observed"] = to_array(data->Y(shown, 0));
    }
    const Vector t = Vector::LinSpaced(kGrid, low, high);
    const Matrix values = curve(model, direction, t, data != nullptr ? &averaged : nullptr);
    one["t"] = to_array(t);
    one["curves"] = Json::array();
    const std::vector<std::string> names = output_names(saved);
    for (Index k = 0; k < values.cols(); ++k) {
      one["curves"].push_back({{"name", names[k]}, {"values", to_array(values.col(k))}});
    }
    curves.push_back(one);
  }
  return curves;
}

Json particle_curves(const SavedModel& saved, Index count) {
  const Model& model = saved.model;
  const std::vector<std::string> names = model.coordinate_names();
  const auto spread = [&](Index j) {
    const Matrix& values = model.functions[j].values;
    return (values.rowwise() - values.colwise().mean()).norm() /
           std::sqrt(static_cast<double>(values.rows()));
  };
  std::vector<Index> order(static_cast<std::size_t>(model.W.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return spread(a) > spread(b); });
  // Particles in nearly the same direction show the same: one of them is enough.
  std::vector<Index> chosen;
  for (const Index j : order) {
    const bool seen = std::any_of(chosen.begin(), chosen.end(), [&](Index other) {
      const double product = model.W.col(j).dot(model.W.col(other));
      return std::abs(product) > kSameDirection * model.W.col(j).norm() * model.W.col(other).norm();
    });
    if (!seen) chosen.push_back(j);
    if (static_cast<Index>(chosen.size()) == count) break;
  }
  Json particles = Json::array();
  for (const Index j : chosen) {
    const RidgeFunction& h = model.functions[j];
    const std::vector<Index> knots = some_rows(h.knots.size(), kMostKnots);
    Json curves = Json::array();
    const std::vector<std::string> outputs = output_names(saved);
    for (Index k = 0; k < std::min<Index>(h.values.cols(), kMostOutputs); ++k) {
      curves.push_back({{"name", outputs[k]}, {"values", to_array(h.values(knots, k))}});
    }
    Index first = 0;
    model.W.col(j).cwiseAbs().maxCoeff(&first);
    particles.push_back({{"number", j + 1},
                         {"length", model.W.col(j).norm()},
                         {"main_variable", names[first]},
                         {"t", to_array(h.knots(knots))},
                         {"curves", curves}});
  }
  return particles;
}

Json prediction_points(const Matrix& response, const Matrix& Y) {
  const std::vector<Index> rows = some_rows(Y.rows(), kMostPoints);
  Json targets = Json::array();
  for (Index k = 0; k < std::min(Y.cols(), kMostOutputs); ++k) {
    targets.push_back(
        {{"predicted", to_array(response(rows, k))}, {"observed", to_array(Y(rows, k))}});
  }
  return targets;
}

Json confusion_matrix(const Matrix& probabilities, const Matrix& Y) {
  const Index classes = probabilities.cols();
  Eigen::Matrix<long long, Eigen::Dynamic, Eigen::Dynamic> counts;
  counts.setZero(classes, classes);
  for (Index i = 0; i < Y.rows(); ++i) {
    Index truth = 0, predicted = 0;
    Y.row(i).maxCoeff(&truth);
    probabilities.row(i).maxCoeff(&predicted);
    ++counts(truth, predicted);
  }
  Json rows = Json::array();
  for (Index a = 0; a < classes; ++a) {
    rows.push_back(std::vector<long long>(counts.row(a).begin(), counts.row(a).end()));
  }
  return rows;
}

Json calibration_bins(const Matrix& probabilities, const Matrix& Y, int bins) {
  Vector count = Vector::Zero(bins), confidence = count, right = count;
  for (Index i = 0; i < Y.rows(); ++i) {
    Index truth = 0, predicted = 0;
    Y.row(i).maxCoeff(&truth);
    const double p = probabilities.row(i).maxCoeff(&predicted);
    const auto b = std::min<Index>(static_cast<Index>(p * bins), bins - 1);
    count(b) += 1;
    confidence(b) += p;
    right(b) += truth == predicted;
  }
  Json found = Json::array();
  for (Index b = 0; b < bins; ++b) {
    if (count(b) == 0) continue;
    found.push_back({{"rows", static_cast<long long>(count(b))},
                     {"confidence", confidence(b) / count(b)},
                     {"accuracy", right(b) / count(b)}});
  }
  return found;
}

}  // namespace bkernn::report
