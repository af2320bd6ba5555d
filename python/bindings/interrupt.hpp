// Ctrl-C and progress while C++ is at work without the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

// Ten times a second at most. Asking is cheap enough for inner loops.
class Ticker {
 public:
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kPause) return false;
    last_ = now;
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds kPause{100};
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Lets Python run its signal handlers; one that raises (KeyboardInterrupt) ends the work with that
// exception.
inline void check_signals() {
  const nanobind::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}
