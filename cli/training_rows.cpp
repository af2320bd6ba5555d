#include "cli/training_rows.hpp"

#include <algorithm>

#include "cli/errors.hpp"

namespace bkernn::cli {
namespace {

using tables::DataSet;

// Several quantiles take y once for each.
void repeat_targets(const FitOptions& fit, DataSet& data) {
  const auto levels = static_cast<Index>(fit.loss_parameters.quantiles.size());
  if (fit.loss != "quantile" || levels < 2) return;
  if (data.Y.cols() != 1) throw UsageError("--quantiles: takes one --target");
  data.Y = data.Y.replicate(1, levels).eval();
  data.target_names.resize(levels, data.target_names.front());
}

}  // namespace

DataSet read_training_rows(FitCommandOptions& options) {
  for (const std::string& name : options.categorical) {
    if (std::find(options.numeric.begin(), options.numeric.end(), name) != options.numeric.end())
      throw UsageError(name + ": --categorical and --numeric exclude each other");
  }
  const tables::TrainingColumns columns{options.targets, options.ignored,
                                        options.weights, options.categorical,
                                        options.numeric, options.drop_missing_target};
  const auto read = [&] {
    return tables::read_training_data(options.data, options.common.format(), columns,
                                      options.fit.loss);
  };
  try {
    DataSet data = with_usage_errors(read, "--target, --loss");
    repeat_targets(options.fit, data);
    return data;
  } catch (const tables::MixedTarget& error) {
    throw IoError(error.what() +
                  std::string(" (if they are classes, say so by --loss multinomial)"));
  }
}

}  // namespace bkernn::cli
