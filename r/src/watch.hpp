// Fits that R watches: Ctrl-C ends them, and where R is interactive a line tells how far they are.
#pragma once

#include <R_ext/Print.h>
#include <R_ext/Utils.h>

#include <chrono>
#include <exception>
#include <string>

#include "bkernn/bkernn.hpp"
#include "jumps.hpp"

namespace bkernn::r {

class Console {
 public:
  explicit Console(bool verbose) : verbose_(verbose) {}
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() {
    if (drawn_) REprintf("\n");
  }

  // Whether a tenth of a second has passed since it last had.
  bool due() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    return true;
  }

  void show(const std::string& text) {
    if (!verbose_ || Clock::now() - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = Clock::now();
    REprintf("\r%-70s", text.c_str());
    drawn_ = true;
  }

  // Throws Jump if the user has pressed Ctrl-C.
  void check_interrupt() {
    if (!due()) return;
    jumping([] {
      R_CheckUserInterrupt();
      return R_NilValue;
    });
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool verbose_, drawn_ = false;
  Clock::time_point last_ = Clock::now(), shown_ = last_;
};

class FitWatch final : public Observer {
 public:
  explicit FitWatch(bool verbose) : console_(verbose) {}

  bool on_iteration(const IterationRecord& record, const FitState&) override {
    console_.check_interrupt();
    console_.show("iteration " + std::to_string(record.iteration) + "  objective " +
                  std::to_string(record.objective));
    return true;
  }
  bool on_race(const RacePoint& point) override {
    console_.show("choosing  " + point.penalty + "  regularization " +
                  std::to_string(point.regularization));
    return true;
  }
  bool on_calibration(int finished, int folds) override {
    console_.show("intervals  " + std::to_string(finished) + " of " + std::to_string(folds) +
                  " folds");
    return true;
  }
  void on_work() override { console_.check_interrupt(); }

 private:
  Console console_;
};

class StabilityWatch final : public StabilityObserver {
 public:
  explicit StabilityWatch(bool verbose) : console_(verbose) {}

  bool on_progress(int finished, int fits) override {
    console_.check_interrupt();
    console_.show("fit " + std::to_string(finished) + " of " + std::to_string(fits));
    return true;
  }
  void on_work() override { console_.check_interrupt(); }

 private:
  Console console_;
};

// Folds run in threads: a jump waits until they have stopped.
class CrossValidateWatch final : public CrossValidateObserver {
 public:
  explicit CrossValidateWatch(bool verbose) : console_(verbose) {}

  bool on_point(const CrossValidateProgress& progress) override {
    console_.show("cross-validation  regularization " + std::to_string(progress.regularization) +
                  "  score " + std::to_string(progress.mean) + "  " +
                  std::to_string(progress.rows) + " rows");
    return poll();
  }

  bool poll() override {
    if (jump_) return false;
    try {
      console_.check_interrupt();
    } catch (const Jump&) {
      jump_ = std::current_exception();
    }
    return !jump_;
  }

  void go_on_jumping() const {
    if (jump_) std::rethrow_exception(jump_);
  }

 private:
  Console console_;
  std::exception_ptr jump_;
};

}  // namespace bkernn::r
