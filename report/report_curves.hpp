// The curves and points of the report.
#pragma once

#include "bkernn/io.hpp"
#include "report/json.hpp"
#include "tables/data_set.hpp"

namespace bkernn::report {

// The prediction along the leading directions. With data, it is averaged over rows moved to each
// position along the direction and kept as they are otherwise; without, it is the one of the
// average row moved so. Numbers on the scale of the target: values, mean counts or probabilities.
Json direction_curves(const SavedModel& saved, Index count, const tables::DataSet* data);

// h_j of the particles whose functions vary most.
Json particle_curves(const SavedModel& saved, Index count);

// Predicted against observed, for each target.
Json prediction_points(const Matrix& response, const Matrix& Y);

// Counts of true class × predicted class, and accuracy by confidence.
Json confusion_matrix(const Matrix& probabilities, const Matrix& Y);
Json calibration_bins(const Matrix& probabilities, const Matrix& Y, int bins = 10);

// At most `most` rows of n, evenly spread.
std::vector<Index> some_rows(Index n, Index most);

}  // namespace bkernn::report
