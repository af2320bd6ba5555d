// A fit that Python watches.
#pragma once

#include <utility>

#include "bkernn/observer.hpp"
#include "interrupt.hpp"

// Calls progress(iteration, objective, active particles) now and then and keep(state) after every
// iteration, if there are such, and the signal handlers.
class PythonObserver final : public bkernn::Observer {
 public:
  explicit PythonObserver(nanobind::object progress, nanobind::object keep = nanobind::none())
      : progress_(std::move(progress)), keep_(std::move(keep)) {}

  bool on_iteration(const bkernn::IterationRecord& record, const bkernn::FitState& state) override {
    on_work();
    const bool shown = !progress_.is_none() && progress_time_.due();
    if (!shown && keep_.is_none()) return true;
    const nanobind::gil_scoped_acquire acquire;
    if (shown) progress_(record.iteration, record.objective, record.active_particles);
    if (!keep_.is_none()) keep_(bkernn::FitState(state));
    return true;
  }

  void on_work() override {
    if (signal_time_.due()) check_signals();
  }

 private:
  nanobind::object progress_, keep_;
  Ticker progress_time_, signal_time_;
};
