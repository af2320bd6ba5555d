#include "cli/fitting/fit_progress.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "bkernn/model.hpp"
#include "bkernn/penalty.hpp"
#include "cli/console.hpp"
#include "cli/end_signals.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

using report::duration;
using report::short_number;
using Clock = std::chrono::steady_clock;

constexpr double kRedrawSeconds = 0.1;
constexpr double kLineSeconds = 5;
constexpr int kLineIterations = 20;

std::atomic<int> signals_seen{0}, last_signal{0};
struct sigaction previous_interrupt, previous_terminate;

extern "C" void remember_signal(int number) {
  last_signal = number;
  if (signals_seen.fetch_add(1) == 0) return;
  end_by_signal(number);
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signals_seen = last_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  ::sigaction(SIGINT, &action, &previous_interrupt);
  ::sigaction(SIGTERM, &action, &previous_terminate);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &previous_interrupt, nullptr);
  ::sigaction(SIGTERM, &previous_terminate, nullptr);
}

bool InterruptGuard::interrupted() {
  return signals_seen > 0;
}

int InterruptGuard::signal() {
  return last_signal;
}

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::none;
  return is_terminal(STDERR_FILENO) ? ProgressStyle::live : ProgressStyle::lines;
}

ProgressLine::ProgressLine(ProgressStyle style) : style_(style), last_(Clock::now()) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::fputc('\n', stderr);
}

void ProgressLine::show(const std::string& text) {
  if (style_ == ProgressStyle::none) return;
  const bool live = style_ == ProgressStyle::live;
  if (seconds_between(last_, Clock::now()) < (live ? kRedrawSeconds : kLineSeconds)) return;
  last_ = Clock::now();
  if (!live) return tell(text);
  std::fputs(("\r\033[K" + text).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

FitProgress::FitProgress(ProgressStyle style, const FitOptions& options)
    : style_(style),
      calibration_(style),
      max_iter_(options.max_iter),
      tol_(options.tol),
      selects_variables_(
          make_penalty(candidate_penalties(options.penalty).front())->selects_variables()),
      start_(Clock::now()),
      last_(start_) {}

FitProgress::~FitProgress() {
  if (drawn_) std::fputc('\n', stderr);
}

std::string FitProgress::line(const IterationRecord& record, const FitState& state) const {
  const Vector importances =
      selects_variables_ ? Vector(state.W().rowwise().norm()) : left_singular(state.W()).values;
  std::string text = "iteration " + std::to_string(record.iteration) + "/" +
                     std::to_string(max_iter_) + "  objective " +
                     short_number(record.objective, 5) + "  step " + short_number(record.step, 3) +
                     "  particles " + std::to_string(record.active_particles) + "  dimension " +
                     std::to_string(dimension_of(importances));
  if (record.validation == record.validation) {
    text += "  validation " + short_number(record.validation, 5);
  }
  const double elapsed = seconds_between(start_, Clock::now());
  const int done = record.iteration - first_iteration_;
  const double left = elapsed / std::max(done, 1) * (max_iter_ - record.iteration);
  text += "  " + duration(elapsed);
  if (done >= 3 && left >= 1) text += (tol_ > 0 ? ", at most " : ", ") + duration(left) + " left";
  return text;
}

void FitProgress::draw(const std::string& text) {
  std::fputs(("\r\033[K" + text).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

bool FitProgress::on_race(const RacePoint& point) {
  const std::string text =
      "choosing  " + point.penalty + (point.ranks == "none" ? "" : "  " + point.ranks + " ranks") +
      "  regularization " + short_number(point.regularization, 3) + "  held-out loss " +
      (point.dropped ? "clearly more" : short_number(point.loss, 5));
  if (style_ == ProgressStyle::live) draw(text);
  if (style_ == ProgressStyle::lines && seconds_between(last_, Clock::now()) >= kLineSeconds) {
    tell(text);
    last_ = Clock::now();
  }
  return !InterruptGuard::interrupted();
}

void FitProgress::on_choice(const Race& race) {
  selects_variables_ = make_penalty(race.penalty)->selects_variables();
  start_ = Clock::now();  // what is left is judged by iterations of the fit
}

bool FitProgress::on_calibration(int finished, int folds) {
  calibration_.show("intervals  " + std::to_string(finished) + " of " + std::to_string(folds) +
                    " folds");
  return !InterruptGuard::interrupted();
}

bool FitProgress::on_iteration(const IterationRecord& record, const FitState& state) {
  if (first_iteration_ == 0) first_iteration_ = record.iteration - 1;
  const auto now = Clock::now();
  const double since = seconds_between(last_, now);
  if (style_ == ProgressStyle::live && (since >= kRedrawSeconds || record.iteration == 1)) {
    draw(line(record, state));
    last_ = now;
  }
  if (style_ == ProgressStyle::lines &&
      (since >= kLineSeconds || record.iteration % kLineIterations == 0 || record.iteration == 1)) {
    tell(line(record, state));
    last_ = now;
  }
  return !InterruptGuard::interrupted();
}

}  // namespace bkernn::cli
