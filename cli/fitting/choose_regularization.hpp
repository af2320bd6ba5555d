// The penalty, if it is open, and its strength by cross-validation.
#pragma once

#include <string>
#include <vector>

#include "bkernn/fit.hpp"

namespace bkernn::cli {

struct CrossValidation {
  int folds = 5;
  bool one_standard_error = false;  // the largest λ that is as good within the errors
  std::vector<std::string> race;    // penalties to choose from; none: what the options say
};

struct CrossValidated {
  std::string penalty, ranks;
  double regularization = 0;  // λ in the units of y
  std::string score;          // what it was judged by
  double mean = 0;            // over the folds, of rows left out
  std::vector<int> fold_of_row;
};

// Says what it tries unless `quiet`. Throws Interrupted if the user stops it.
CrossValidated cross_validated_regularization(const FitInput& input, const FitOptions& options,
                                              const CrossValidation& how, bool quiet);

}  // namespace bkernn::cli
