// What a person would say about a fit, in one sentence.
#pragma once

#include <string>

#include "bkernn/io.hpp"

namespace bkernn::report {

// "2 directions in 8 variables explain 94% of the variance of price on held-out rows; income, age
// and rooms weigh most." Of the rows by which it judges, the ones that are farthest from the fit.
std::string sentence(const SavedModel& saved);

}  // namespace bkernn::report
