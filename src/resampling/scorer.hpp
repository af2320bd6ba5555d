// How what is held out is judged.
#pragma once

#include <functional>
#include <string>

#include "bkernn/options.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// The score of predictions F (n×q, f and not the response) in the units of y.
using Score = std::function<double(const Matrix& Y, const Matrix& F, const Vector* weights)>;

struct Scorer {
  Score score;
  bool higher_is_better = false;

  bool better(double a, double b) const { return higher_is_better ? a > b : a < b; }
};

// `target_scale` (q): what y is divided by before the loss sees it. Throws InvalidArgument for a
// scorer that does not suit the loss.
Scorer make_scorer(const std::string& name, const FitOptions& options,
                   const RowVector& target_scale);

}  // namespace bkernn
