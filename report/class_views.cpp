#include "report/class_views.hpp"

#include <algorithm>

namespace bkernn::report {
namespace {

constexpr Index kBins = 10;
constexpr Index kMostClasses = 40;  // that have curves
constexpr Index kCurvePoints = 49;

Index class_of_row(const Matrix& Y, Index i) {
  Index found = 0;
  Y.row(i).maxCoeff(&found);
  return found;
}

// How often it came, by how probable it was.
Json frequency_bins(const Vector& probability, const Vector& came) {
  Vector count = Vector::Zero(kBins), confidence = count, right = count;
  for (Index i = 0; i < came.size(); ++i) {
    const double p = probability(i);
    const auto b = std::min<Index>(static_cast<Index>(p * kBins), kBins - 1);
    count(b) += 1;
    confidence(b) += p;
    right(b) += came(i);
  }
  Json found = Json::array();
  for (Index b = 0; b < kBins; ++b) {
    if (count(b) == 0) continue;
    found.push_back({{"rows", static_cast<long long>(count(b))},
                     {"confidence", confidence(b) / count(b)},
                     {"accuracy", right(b) / count(b)}});
  }
  return found;
}

}  // namespace

Json confusion_matrix(const Matrix& probabilities, const Matrix& Y) {
  const Index classes = probabilities.cols();
  Eigen::Matrix<long long, Eigen::Dynamic, Eigen::Dynamic> counts;
  counts.setZero(classes, classes);
  for (Index i = 0; i < Y.rows(); ++i) ++counts(class_of_row(Y, i), class_of_row(probabilities, i));
  Json rows = Json::array();
  for (Index a = 0; a < classes; ++a) {
    rows.push_back(std::vector<long long>(counts.row(a).begin(), counts.row(a).end()));
  }
  return rows;
}

Json calibration_bins(const Matrix& probabilities, const Matrix& Y) {
  Vector right(Y.rows());
  for (Index i = 0; i < Y.rows(); ++i)
    right(i) = class_of_row(Y, i) == class_of_row(probabilities, i) ? 1 : 0;
  return frequency_bins(probabilities.rowwise().maxCoeff(), right);
}

Json class_views(const SavedModel& saved, const Along& along, const Matrix* P, const Matrix* Y) {
  const Index classes = saved.model.n_classes(), drawn = std::min(classes, kMostClasses);
  std::vector<Json> views(static_cast<std::size_t>(classes));
  for (Json& view : views) view = {{"moved", Json::array()}, {"curves", Json::array()}};
  Json positions = Json::array();
  for (Index i = 0; i < along.count(); ++i) {
    const auto [low, high] = along.range(i);
    const Vector t = Vector::LinSpaced(kCurvePoints, low, high);
    const Matrix values = along.curve(i, t);
    positions.push_back(to_short_array(t));
    for (Index c = 0; c < classes; ++c) {
      Json& view = views[static_cast<std::size_t>(c)];
      view["moved"].push_back(values.col(c).maxCoeff() - values.col(c).minCoeff());
      if (c < drawn) view["curves"].push_back(to_short_array(values.col(c)));
    }
  }
  Json found = {{"classes", views}, {"t", positions}, {"rows", nullptr}};
  if (P == nullptr) return found;
  for (Index c = 0; c < classes; ++c)
    found["classes"][static_cast<std::size_t>(c)]["calibration"] =
        frequency_bins(P->col(c), Y->col(c));
  std::vector<Index> of_row;
  for (const Index i : along.drawn()) of_row.push_back(class_of_row(*Y, i));
  found["rows"] = of_row;
  return found;
}

}  // namespace bkernn::report
