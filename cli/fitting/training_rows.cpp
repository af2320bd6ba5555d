#include "cli/fitting/training_rows.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bkernn/loss.hpp"
#include "cli/errors.hpp"
#include "cli/options/checks.hpp"

namespace bkernn::cli {
namespace {

using tables::DataSet;

// Several quantiles take y once for each.
void repeat_targets(const FitOptions& fit, DataSet& data) {
  const std::unique_ptr<Loss> loss = make_loss(fit.loss, fit.loss_parameters);
  const auto levels = static_cast<Index>(loss->quantiles().size());
  if (levels < 2) return;
  if (data.Y.cols() != 1) throw UsageError("--quantiles: takes one --target");
  data.Y = data.Y.replicate(1, levels).eval();
  data.target_names.resize(levels, data.target_names.front());
}

Index class_of(const DataSet& data, Index row) {
  if (data.Y.cols() == 1) return data.Y(row, 0) > 0.5 ? 1 : 0;
  Index k = 0;
  data.Y.row(row).maxCoeff(&k);
  return k;
}

// Of each class, as --class-weight lists them.
Vector listed_weights(const std::vector<std::string>& given, const DataSet& data) {
  const std::vector<std::string>& names = data.class_names;
  Vector weights = Vector::Ones(static_cast<Index>(names.size()));
  for (const std::string& one : given) {
    const std::size_t equals = one.rfind('=');
    double number = 0;
    if (equals == std::string::npos || !parse_number(one.substr(equals + 1), number))
      throw UsageError("--class-weight " + one + ": takes balanced, or CLASS=NUMBER");
    if (!(number > 0 && std::isfinite(number)))
      throw UsageError("--class-weight " + one + ": must be positive and finite");
    const auto name = std::find(names.begin(), names.end(), one.substr(0, equals));
    if (name == names.end())
      throw UsageError("--class-weight " + one + ": the target has no such class");
    weights(name - names.begin()) = number;
  }
  return weights;
}

// All classes count alike; together as much as before.
Vector balanced_weights(const DataSet& data, const Vector& counts) {
  Vector sizes = Vector::Zero(static_cast<Index>(data.class_names.size()));
  for (Index i = 0; i < counts.size(); ++i) sizes(class_of(data, i)) += counts(i);
  return sizes.unaryExpr([&](double size) {
    return size > 0 ? sizes.sum() / (static_cast<double>(sizes.size()) * size) : 1.0;
  });
}

void weigh_classes(const std::vector<std::string>& given, DataSet& data) {
  if (given.empty()) return;
  if (data.class_names.empty()) throw UsageError("--class-weight: the target has no classes");
  Vector counts = data.weights.size() > 0 ? data.weights : Vector::Ones(data.X.rows());
  const bool balanced = given.size() == 1 && given.front() == "balanced";
  const Vector weights = balanced ? balanced_weights(data, counts) : listed_weights(given, data);
  for (Index i = 0; i < counts.size(); ++i) counts(i) *= weights(class_of(data, i));
  data.weights = counts;
}

using Names = std::vector<std::string>;

bool among(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What is said of variables cannot be said of the target or the weights.
void check_columns(const FitCommandOptions& options) {
  for (const std::string& name : options.categorical) {
    if (among(name, options.numeric))
      throw UsageError(name + ": --categorical and --numeric exclude each other");
  }
  const std::pair<const char*, const Names&> lists[] = {{"--features", options.used},
                                                        {"--ignore", options.ignored},
                                                        {"--categorical", options.categorical},
                                                        {"--numeric", options.numeric}};
  for (const auto& [option, names] : lists) {
    for (const std::string& name : names) {
      if (name == options.weights || among(name, options.targets))
        throw UsageError(std::string(option) + " " + name + ": is the target, or the weights");
    }
  }
}

}  // namespace

DataSet read_training_rows(FitCommandOptions& options) {
  check_columns(options);
  const tables::TrainingColumns columns{options.targets,
                                        options.used,
                                        options.ignored,
                                        options.weights,
                                        options.categorical,
                                        options.numeric,
                                        options.drop_missing_target};
  const auto read = [&] {
    return tables::read_training_data(options.data, options.common.format(), columns,
                                      options.fit.loss);
  };
  try {
    DataSet data = with_usage_errors(read, "--target, --loss");
    repeat_targets(options.fit, data);
    weigh_classes(options.class_weight, data);
    return data;
  } catch (const tables::MixedTarget& error) {
    throw IoError(error.what() +
                  std::string(" (if they are classes, say so by --loss multinomial)"));
  } catch (const tables::MissingValues& error) {
    if (options.drop_missing_target || error.column == options.weights) throw;
    throw IoError(error.what() + std::string(", or leave them out by --drop-missing-target"));
  }
}

}  // namespace bkernn::cli
