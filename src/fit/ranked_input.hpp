// The rows of a fit with numbers taken by ranks, as an input like any other: whatever is done with
// it, fits of folds and halves included, bends numbers alike.
#pragma once

#include "bkernn/columns.hpp"
#include "bkernn/fit_input.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"

namespace bkernn {

class RankedInput {
 public:
  // `encoder` is that of the input with curves. The input must outlive it.
  RankedInput(const FitInput& input, Encoder encoder);
  RankedInput(const RankedInput&) = delete;
  RankedInput& operator=(const RankedInput&) = delete;

  const FitInput& input() const { return input_; }

 private:
  Encoder encoder_;
  Matrix X_, validation_X_;
  MatrixView validation_view_;
  FitInput input_;
};

// The encoder with the curves that a fit with these options chooses, for studies of many fits;
// empty: numbers count by their values.
Encoder choose_ranks(const FitInput& input, const FitOptions& options, Observer* observer);

}  // namespace bkernn
