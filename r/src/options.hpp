#pragma once

#include "bkernn/options.hpp"
#include "values.hpp"

namespace bkernn::r {

// The options of a list by their names in the table, the others at their defaults; checked.
FitOptions options_of(SEXP list);

}  // namespace bkernn::r
