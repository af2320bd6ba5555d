// The curves and points of the report.
#pragma once

#include "report/along.hpp"
#include "report/json.hpp"

namespace bkernn::report {

// The prediction along each direction, of the outputs that it moves most. Numbers on the scale of
// the target: values, mean counts or probabilities. `data` may be null.
Json direction_curves(const SavedModel& saved, const Along& along, const tables::DataSet* data);

// h_j of the particles whose functions vary most.
Json particle_curves(const SavedModel& saved, Index count);

// Predicted against observed, for each target.
Json prediction_points(const Matrix& response, const Matrix& Y);

}  // namespace bkernn::report
