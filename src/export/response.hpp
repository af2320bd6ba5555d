// From f to the scale of y: the formulas that can be written elsewhere.
#pragma once

#include "bkernn/model.hpp"

namespace bkernn {

enum class Response {
  identity,     // f
  exponential,  // e^f, at most the largest number
  logistic,     // 1 − p and p = 1/(1 + e^−f)
  softmax,      // e^{f_k} / Σ_l e^{f_l}
};

// The formula of the model's loss. Throws InvalidArgument if it is none of these.
Response response_of(const Model& model);

}  // namespace bkernn
