// The model as the page carries it: enough to predict any row there, with its interval or set of
// classes, and rows to start from.
#pragma once

#include "bkernn/io.hpp"
#include "report/json.hpp"
#include "tables/data_set.hpp"

namespace bkernn::report {

// Null if the model is too large for a page, however roundly it is written. A model that is large
// is compressed: "tolerance" says how far that may move f, 0 for not at all. `data` may be null.
Json what_if(const SavedModel& saved, const tables::DataSet* data);

}  // namespace bkernn::report
