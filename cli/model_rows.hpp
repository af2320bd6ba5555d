// Rows of a file for a model that exists, with their target: what `score` and `report` read.
#pragma once

#include <string>
#include <vector>

#include "bkernn/io.hpp"
#include "cli/options/common_options.hpp"
#include "tables/data_set.hpp"

namespace bkernn::cli {

struct ModelRowsOptions {
  std::string model, data;
  std::vector<std::string> targets;  // empty: as in training
  std::string weights;               // empty: none
  CommonOptions common;
};

// -t, --target and --weights.
void add_column_options(CLI::App& command, ModelRowsOptions& options);

// Throws UsageError if the targets are not those of the model.
tables::DataSet read_model_rows(const SavedModel& saved, const ModelRowsOptions& options);

}  // namespace bkernn::cli
