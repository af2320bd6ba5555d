// Classes one by one: how far each direction moves the probability of each, how often it is right,
// and what it is taken for.
#pragma once

#include "report/along.hpp"
#include "report/json.hpp"

namespace bkernn::report {

// Counts of true class × predicted class. Probabilities and one-hot targets are n × classes.
Json confusion_matrix(const Matrix& probabilities, const Matrix& Y);

// How often the likeliest class is right, by its probability.
Json calibration_bins(const Matrix& probabilities, const Matrix& Y);

// One entry for each class. With rows (P and Y as above, else null) also how often it came, by its
// probability, and where its rows lie.
Json class_views(const SavedModel& saved, const Along& along, const Matrix* P, const Matrix* Y);

}  // namespace bkernn::report
