// Stops a fit after an iteration and keeps the state it is in: what a checkpoint would hold.
#pragma once

#include "bkernn/observer.hpp"

namespace bkernn {

struct StopAt : Observer {
  explicit StopAt(int iteration) : at(iteration) {}
  bool on_iteration(const IterationRecord& record, const FitState& now) override {
    if (record.iteration == at) state = now;
    return record.iteration < at;
  }
  int at;
  FitState state;
};

}  // namespace bkernn
