// The penalty, if it is open, and its strength by cross-validation.
#pragma once

#include <string>

#include "bkernn/fit.hpp"

namespace bkernn::cli {

struct CrossValidated {
  std::string penalty;
  double regularization = 0;  // λ in the units of y
  std::string score;          // what it was judged by
  double mean = 0;            // over the folds, of rows left out
  Index tried = 0;            // how many λ
};

// Says what it tries unless `quiet`. Throws Interrupted if the user stops it.
CrossValidated cross_validated_regularization(const FitInput& input, const FitOptions& options,
                                              int folds, bool quiet);

}  // namespace bkernn::cli
