#include "report/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bkernn/export.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/kernel.hpp"
#include "report/along.hpp"

namespace bkernn::report {
namespace {

constexpr std::size_t kSmall = 800'000;              // bytes: the model is written as it is
constexpr std::size_t kLargest = 2'500'000;          // bytes
constexpr double kRoundings[] = {1e-3, 3e-3, 1e-2};  // of the range of f
constexpr Index kMostErrors = 5000;
constexpr Index kMostRows = 60, kMostCells = 30'000;
constexpr double kReach = 2.5;  // standard deviations, where there are no rows

Json number_list(const Matrix& values) {
  Json list = Json::array();
  for (Index k = 0; k < values.cols(); ++k) list.push_back(to_array(values.col(k)));
  return list;
}

// Nine digits.
double rounded_number(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10, 8 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(unit) && unit > 0 ? std::round(value * unit) / unit : value;
}

std::string name_of(FunctionForm form) {
  switch (form) {
    case FunctionForm::lines:
      return "lines";
    case FunctionForm::decays:
      return "decays";
    case FunctionForm::bumps:
      return "bumps";
    default:
      return "other";
  }
}

Json model_json(const Model& model, bool rounded) {
  const Matrix W = rounded ? Matrix(model.W.unaryExpr(&rounded_number)) : model.W;
  Json functions = Json::array();
  for (const RidgeFunction& h : model.functions)
    functions.push_back({{"knots", to_array(h.knots)}, {"values", number_list(h.values)}});
  return {{"form", name_of(make_kernel(model.kernel)->function_form())},
          {"particles", model.n_particles},
          {"center", to_array(model.center.transpose())},
          {"scale", to_array(model.scale.transpose())},
          {"intercept", to_array(model.intercept.transpose())},
          {"W", number_list(W)},
          {"functions", functions}};
}

// What f can move by at most, for each output.
RowVector range_of_f(const Model& model) {
  RowVector range = RowVector::Zero(model.n_outputs());
  for (const RidgeFunction& h : model.functions)
    range += h.values.colwise().maxCoeff() - h.values.colwise().minCoeff();
  return range / static_cast<double>(model.n_particles);
}

// Fewer errors, each of which stands for the ones below it: intervals can only get wider.
Json errors_json(const HeldOutErrors& errors, Index most) {
  const Index n = errors.sizes.size(), step = (n + most - 1) / most;
  std::vector<double> sizes, counts;
  for (Index i = n - 1; i >= 0; i -= step) {
    sizes.push_back(errors.sizes(i));
    counts.push_back(errors.counts(i));
  }
  std::reverse(sizes.begin(), sizes.end());
  std::reverse(counts.begin(), counts.end());
  return {{"sizes", sizes}, {"counts", counts}};
}

Json calibration_json(const Calibration& calibration, const RowVector& most, bool rounded) {
  Json parts = Json::array();
  Index all = 0;
  for (const CalibrationPart& part : calibration.parts) all += part.errors.front().sizes.size();
  for (const CalibrationPart& part : calibration.parts) {
    Json one = {{"model", nullptr}, {"errors", Json::array()}};
    if (part.model) {
      RowVector of_part(part.model->n_outputs());
      for (Index k = 0; k < of_part.size(); ++k) of_part(k) = most(k % most.size());
      one["model"] = model_json(rounded ? part.model->compress(of_part) : *part.model, rounded);
    }
    for (const HeldOutErrors& errors : part.errors) {
      const Index share = std::max<Index>(
          1, all > kMostErrors ? kMostErrors * errors.sizes.size() / all : errors.sizes.size());
      one["errors"].push_back(errors_json(errors, share));
    }
    parts.push_back(one);
  }
  return {{"method", calibration.method}, {"rows", calibration.rows()}, {"parts", parts}};
}

// With a tolerance of so much of the range of f; 0: as it is.
Json models_json(const Model& model, double share) {
  const RowVector most = share * range_of_f(model);
  const bool rounded = share > 0;
  return {
      {"model", model_json(rounded ? model.compress(most) : model, rounded)},
      {"calibration",
       model.calibration == nullptr ? Json() : calibration_json(*model.calibration, most, rounded)},
      {"tolerance", rounded ? most.maxCoeff() : 0.0}};
}

Json fitting_models(const Model& model) {
  Json plain = models_json(model, 0);
  const std::size_t bytes = plain.dump().size();
  if (bytes <= kSmall) return plain;
  for (const double share : kRoundings) {
    if (!make_kernel(model.kernel)->piecewise_linear()) break;  // cannot be compressed
    Json found = models_json(model, share);
    if (found.dump().size() <= kLargest) return found;
  }
  return bytes <= kLargest ? plain : Json();
}

std::string name_of(Response response) {
  switch (response) {
    case Response::exponential:
      return "exponential";
    case Response::logistic:
      return "logistic";
    case Response::softmax:
      return "softmax";
    default:
      return "identity";
  }
}

Json curves_json(const EncodedColumn& column) {
  Json curves = Json::array();
  for (const Curve& curve : column.curves)
    curves.push_back({{"x", curve.x}, {"values", curve.values}});
  return curves;
}

// ---- Columns of the table, from coordinates of the model.

struct Columns {
  explicit Columns(const Model& model)
      : model_(model),
        begins_(model.encoder.empty() ? std::vector<Index>() : model.encoder.groups()) {}

  Index begin(Index a) const { return begins_.empty() ? a : begins_[static_cast<std::size_t>(a)]; }
  const EncodedColumn* encoded(Index a) const {
    return begins_.empty() ? nullptr : &model_.encoder.columns[static_cast<std::size_t>(a)];
  }

  // A number, the place of an outcome, or null for a gap (of a category: none of the outcomes).
  Json cell(const RowVector& x, Index a) const {
    const EncodedColumn* const column = encoded(a);
    const Index first = begin(a);
    if (column == nullptr || !column->category) {
      const bool gap = std::isnan(x(first)) ||
                       (column != nullptr && column->gaps > 0 && x(first + column->bends()) > 0.5);
      return gap ? Json() : Json(number(x, a));
    }
    const Matrix outcomes = model_.encoder.outcome_rows(a);
    for (Index l = 0; l < outcomes.rows(); ++l) {
      if (outcomes.row(l) == x.segment(first, outcomes.cols())) return l;
    }
    return nullptr;
  }

  // The value of a number, from its coordinates.
  double number(const RowVector& x, Index a) const {
    const EncodedColumn* const column = encoded(a);
    return column == nullptr ? x(begin(a)) : column->straight(x.data() + begin(a));
  }

  // Means, and the most frequent levels.
  Json typical(Index a) const {
    const EncodedColumn* const column = encoded(a);
    if (column == nullptr || !column->category) return number(model_.center, a);
    const Vector shares = column->outcomes();
    if (shares.size() == 0) return nullptr;
    Index most = 0;
    shares.maxCoeff(&most);
    return most;
  }

 private:
  const Model& model_;
  std::vector<Index> begins_;
};

// Where a number lies, and whether it is whole.
void add_range(const Model& model, const Columns& columns, Index a, const tables::DataSet* data,
               bool standardized, Json& column) {
  const double center = columns.number(model.center, a);
  double low = center, high = center;
  bool whole = data != nullptr;
  if (data == nullptr) {
    const double reach = kReach * (standardized ? 1 : 1 + std::abs(low));
    const RowVector away = standardized ? model.scale : RowVector::Ones(model.n_features());
    low = columns.number(model.center - reach * away, a);
    high = columns.number(model.center + reach * away, a);
  }
  for (Index i = 0; data != nullptr && i < data->X.rows(); ++i) {
    const double x = columns.number(data->X.row(i), a);
    if (std::isnan(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
    whole = whole && (x == std::round(x) || x == center);
  }
  column["low"] = low;
  column["high"] = high;
  column["whole"] = whole;
}

}  // namespace

Json what_if(const SavedModel& saved, const tables::DataSet* data) {
  const Model& model = saved.model;
  if (make_kernel(model.kernel)->function_form() == FunctionForm::other) return {};
  Json found = fitting_models(model);
  if (found.is_null()) return found;
  found["response"] = name_of(response_of(model));
  found["outputs"] = output_names(saved);
  found["sorted"] = !model.quantiles.empty();
  found["columns"] = Json::array();
  const Columns columns(model);
  for (Index a = 0; a < model.n_columns(); ++a) {
    const EncodedColumn* const encoded = columns.encoded(a);
    Json one = {{"typical", columns.typical(a)}, {"gaps", encoded == nullptr ? 0 : encoded->gaps}};
    if (encoded != nullptr && encoded->category) {
      one["outcomes"] = model.encoder.outcome_names(a);
      one["average"] = to_array(encoded->means().transpose());
    } else {
      one["mean"] = encoded == nullptr ? model.center(a) : encoded->mean;
      if (encoded != nullptr && !encoded->curves.empty()) one["curves"] = curves_json(*encoded);
      add_range(model, columns, a, data, saved.options.standardize, one);
    }
    found["columns"].push_back(one);
  }
  found["rows"] = Json::array();
  if (data == nullptr) return found;
  const Index most = std::clamp<Index>(kMostCells / model.n_columns(), 1, kMostRows);
  for (const Index i : some_rows(data->X.rows(), most)) {
    Json cells = Json::array();
    for (Index a = 0; a < model.n_columns(); ++a) cells.push_back(columns.cell(data->X.row(i), a));
    Json one = {{"number", i + 1}, {"cells", cells}};
    if (model.n_classes() > 0) {
      Index k = data->Y.cols() == 1 && data->Y(i, 0) > 0.5 ? 1 : 0;
      if (data->Y.cols() > 1) data->Y.row(i).maxCoeff(&k);
      one["class"] = k;
    } else {
      one["observed"] = to_array(data->Y.row(i).transpose());
    }
    found["rows"].push_back(one);
  }
  return found;
}

}  // namespace bkernn::report
