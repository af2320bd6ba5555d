#include "cli/model_rows.hpp"

#include "cli/errors.hpp"

namespace bkernn::cli {

void add_column_options(CLI::App& command, ModelRowsOptions& options) {
  command
      .add_option("-t,--target", options.targets,
                  "column of the target, if its name has changed since training")
      ->allow_extra_args(false)
      ->option_text("COLUMN");
  command.add_option("--weights", options.weights, "column that says how often each row counts")
      ->option_text("COLUMN");
}

tables::DataSet read_model_rows(const SavedModel& saved, const ModelRowsOptions& options) {
  return with_usage_errors(
      [&] {
        return tables::read_data_for(saved, options.data, options.common.format(), options.targets,
                                     options.weights);
      },
      "--target");
}

}  // namespace bkernn::cli
