#include "report/report_curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/summary.hpp"

namespace bkernn::report {
namespace {

constexpr Index kGrid = 81;
constexpr Index kMostPoints = 1200;
constexpr Index kMostKnots = 240;
constexpr Index kMostCurves = 6;
constexpr double kSameDirection = 0.97;  // cosine

// The outputs that change most from row to row of `values`; of two classes the second.
std::vector<Index> most_moved(const Matrix& values, bool two_classes) {
  std::vector<Index> outputs(static_cast<std::size_t>(values.cols()));
  std::iota(outputs.begin(), outputs.end(), Index{0});
  if (two_classes) return {1};
  const Vector moved = (values.colwise().maxCoeff() - values.colwise().minCoeff()).transpose();
  std::stable_sort(outputs.begin(), outputs.end(),
                   [&](Index a, Index b) { return moved(a) > moved(b); });
  if (static_cast<Index>(outputs.size()) > kMostCurves) outputs.resize(kMostCurves);
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

}  // namespace

Json direction_curves(const SavedModel& saved, const Along& along, const tables::DataSet* data) {
  Json curves = Json::array();
  const std::vector<std::string> names = output_names(saved);
  for (Index i = 0; i < along.count(); ++i) {
    const auto [low, high] = along.range(i);
    const Vector t = Vector::LinSpaced(kGrid, low, high);
    const Matrix values = along.curve(i, t);
    Json one;
    one["t"] = to_short_array(t);
    if (data != nullptr) {
      one["positions"] = to_short_array(along.position(i));
      if (data->Y.cols() == 1) one["observed"] = to_short_array(data->Y(along.drawn(), 0));
    }
    one["curves"] = Json::array();
    for (const Index k : most_moved(values, saved.model.n_classes() == 2)) {
      one["curves"].push_back({{"name", names[static_cast<std::size_t>(k)]},
                               {"output", k},
                               {"values", to_short_array(values.col(k))}});
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
    const std::vector<std::string> outputs = short_output_names(saved);
    const bool two_classes = model.n_classes() == 2 && h.values.cols() == 1;
    for (Index k = 0; k < std::min<Index>(h.values.cols(), kMostCurves); ++k) {
      const Index output = two_classes ? 1 : k;
      curves.push_back({{"name", outputs[static_cast<std::size_t>(output)]},
                        {"output", output},
                        {"values", to_short_array(h.values(knots, k))}});
    }
    Index first = 0;
    model.W.col(j).cwiseAbs().maxCoeff(&first);
    particles.push_back({{"number", j + 1},
                         {"length", model.W.col(j).norm()},
                         {"main_variable", names[first]},
                         {"t", to_short_array(h.knots(knots))},
                         {"curves", curves}});
  }
  return particles;
}

Json prediction_points(const Matrix& response, const Matrix& Y) {
  const std::vector<Index> rows = some_rows(Y.rows(), kMostPoints);
  Json targets = Json::array();
  for (Index k = 0; k < std::min(Y.cols(), kMostCurves); ++k) {
    targets.push_back({{"predicted", to_short_array(response(rows, k))},
                       {"observed", to_short_array(Y(rows, k))}});
  }
  return targets;
}

}  // namespace bkernn::report
