// Watches several fits at once, in whatever threads, and lets the calling thread stop them all.
#pragma once

#include <atomic>
#include <functional>

#include "base/parallel.hpp"
#include "bkernn/observer.hpp"

namespace bkernn {

class FitsWatch final : public Observer {
 public:
  // `go_on` is asked on the calling thread: false stops every fit. `work` is Observer::on_work().
  explicit FitsWatch(std::function<bool()> go_on, std::function<void()> work = {})
      : go_on_(std::move(go_on)), work_(std::move(work)) {}

  bool on_iteration(const IterationRecord&, const FitState&) override { return ask(); }
  bool on_race(const RacePoint&) override { return ask(); }
  bool on_calibration(int, int) override { return ask(); }
  void on_work() override {
    if (work_) work_();
  }

  std::atomic<int> finished{0};  // fits
  std::atomic<bool> stopped{false};

 private:
  bool ask() {
    if (!is_worker_thread() && !go_on_()) stopped = true;
    return !stopped;
  }

  std::function<bool()> go_on_;
  std::function<void()> work_;
};

}  // namespace bkernn
