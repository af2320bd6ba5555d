// Shows how a fit is going, and stops it when the user asks for it.
#pragma once

#include <chrono>
#include <string>

#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"

namespace bkernn::cli {

enum class ProgressStyle {
  none,
  lines,  // some iterations, one line each
  live,   // one line that is drawn again
};

// What suits standard error.
ProgressStyle progress_style(bool quiet);

// A short text, shown now and then.
class ProgressLine {
 public:
  explicit ProgressLine(ProgressStyle style);
  ~ProgressLine();  // ends the live line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);

 private:
  ProgressStyle style_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

class FitProgress : public Observer {
 public:
  FitProgress(ProgressStyle style, const FitOptions& options);

  // Ends the live line.
  ~FitProgress() override;

  bool on_race(const RacePoint& point) override;
  void on_choice(const Race& race) override;
  bool on_calibration(int finished, int folds) override;
  bool on_iteration(const IterationRecord& record, const FitState& state) override;

 private:
  std::string line(const IterationRecord& record, const FitState& state) const;
  void draw(const std::string& text);

  ProgressStyle style_;
  ProgressLine calibration_;
  int max_iter_;
  double tol_;
  bool selects_variables_;
  bool drawn_ = false;
  int first_iteration_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
};

// Within its lifetime, SIGINT and SIGTERM are remembered instead of ending the process; the second
// one does end it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  static int signal();  // the one that came; 0: none did
};

}  // namespace bkernn::cli
