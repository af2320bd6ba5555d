// Watching a fit, stopping it, and going on with it later.
#pragma once

#include <memory>
#include <utility>

#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

struct OptimizerState;

// Where a fit stands: all that it needs in order to go on. A fit resumed from it takes the same
// steps, bit for bit, as one that was never interrupted. What is inside is the optimizer's business
// and changes with it; a copy can be kept, saved (io.hpp) and resumed from (FitInput::resume).
class FitState {
 public:
  FitState();
  explicit FitState(OptimizerState state);
  FitState(const FitState& other);  // a copy of all that is inside
  FitState(FitState&& other) noexcept;
  FitState& operator=(const FitState& other);
  FitState& operator=(FitState&& other) noexcept;
  ~FitState();

  int iteration() const;    // finished so far
  const Matrix& W() const;  // d×m, in the coordinates of the model

  // For the library itself.
  const OptimizerState& inside() const { return *inside_; }
  static FitState view(const OptimizerState& state);  // no copy: it must not outlive the state

 private:
  explicit FitState(std::shared_ptr<const OptimizerState> inside) : inside_(std::move(inside)) {}

  std::shared_ptr<const OptimizerState> inside_;
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Called after every iteration, on the calling thread. Returning false stops the fit, which then
  // returns the best model so far. `state` is valid during the call: copy it to keep it.
  virtual bool on_iteration(const IterationRecord& record, const FitState& state) = 0;

  // Called after every point of the race that chooses λ and the penalty, before the fit itself.
  // Returning false ends the race: what is best so far is taken.
  virtual bool on_race(const RacePoint& /*point*/) { return true; }

  // Called once when it has ended.
  virtual void on_choice(const Race& /*race*/) {}

  // Called now and then on the calling thread while intervals are calibrated, after the fit, with
  // the number of folds that are finished. Returning false leaves the model without intervals.
  virtual bool on_calibration(int /*finished*/, int /*folds*/) { return true; }

  // Called on the calling thread many times in every iteration, for what cannot wait for its end.
  // An exception thrown here or from on_iteration abandons the fit.
  virtual void on_work() {}
};

}  // namespace bkernn
