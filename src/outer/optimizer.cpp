#include "outer/optimizer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/many_rows.hpp"

namespace bkernn {
namespace {

constexpr double kTightTolerance = 1e-10;  // of the returned α …
constexpr double kManyTolerance = 1e-6;    // … and for many rows, where every digit takes seconds
constexpr double kPaperTolerance = 1e-9;   // of every solve of Algorithm 1 …
constexpr double kPaperManyTolerance = 1e-4;  // … and of more rows than the next
constexpr Index kPaperManyRows = 5000;
// Of solves inside the spectral line search: what keeps the error of G below this share of the
// recent decrease, between these bounds.
constexpr double kErrorShare = 0.1;
constexpr double kLooseTolerance = 1e-2;
constexpr double kTighterTolerance = 1e-4;
constexpr std::size_t kMemory = 5;    // objectives that the non-monotone line search looks back on
constexpr double kSufficient = 1e-4;  // share of the predicted decrease that it asks for
constexpr double kSmallPart = 1.0 / 32;   // of W, to look at W = 0 from nearby
constexpr double kLargestWeight = 1e150;  // of W, rows being at most 1e100
constexpr int kPatience = 10;             // iterations over which tol is measured
// Later stages of a coarse-to-fine fit begin near the end. They go on while so many iterations
// bring more than so many tol; a one of few steps while a single iteration brings twice as much,
// and its first step is not taken if ‖W⁺ − W‖²/2γ, what a proximal gradient step of length γ
// promises, is less.
constexpr int kStagePatience = 4;
constexpr double kStageFactor = 5;
constexpr double kFewStepsFactor = 10;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Index active_particles(const Matrix& W) {
  return ((W.array() != 0).colwise().any()).count();
}

enum class Step {
  taken,
  none,        // was found
  negligible,  // not worth it: what it promises is less than a last stage asks of a step
};

class Minimizer {
 public:
  Minimizer(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
            OptimizerState& state)
      : objective_(objective),
        penalty_(penalty),
        options_(options),
        state_(state),
        weight_(objective.lambda() * options.penalty_weight),
        inner_tol_(options.inner_tol > 0                ? options.inner_tol
                   : !options.paper                     ? kLooseTolerance
                   : objective.rows() >= kPaperManyRows ? kPaperManyTolerance
                                                        : kPaperTolerance) {
    choose_inner_tolerance();
  }

  // Evaluates G where the state stands.
  void begin() {
    start_from_here();
    state_.evaluations = objective_.evaluations();
    state_.best_W = state_.W;
    state_.best_objective =
        options_.early_stopping ? std::numeric_limits<double>::infinity() : value();
    state_.initial_objective = value();
    state_.best_iteration = state_.iteration;
    if (options_.paper) state_.step = options_.step_size;
  }

  double value() const { return state_.smooth + weight_ * state_.penalty; }

  // By how much the present W is worse than the best one. Algorithm 1 never is, and validation rows
  // judge by themselves.
  double above_best() const {
    return options_.paper || options_.early_stopping ? 0 : value() - state_.best_objective;
  }

  // Goes back to the best W; what came after it is forgotten, so that the next steps may not climb
  // again.
  void return_to_best() {
    choose_inner_tolerance();
    state_.W = state_.best_W;
    state_.previous_W.resize(0, 0);
    state_.previous_gradient.resize(0, 0);
    start_from_here();
  }

  // One iteration: gradient, line search, move.
  Step iterate() {
    choose_inner_tolerance();
    gradient_ = objective_.gradient();
    const Step moved = options_.paper ? paper_step() : spectral_step();
    if (moved == Step::taken) {
      state_.previous_gradient = gradient_;
      std::swap(state_.previous_W, state_.W);
      state_.W.swap(trial_);
      state_.smooth = trial_smooth_;
      state_.penalty = trial_penalty_;
      objective_.keep();
      state_.recent.push_back(value());
      if (state_.recent.size() > kMemory) state_.recent.erase(state_.recent.begin());
      ++state_.iteration;
    }
    return moved;
  }

  // Keeps the present W if it is the best so far. Algorithm 1 returns its last W.
  void judge(double validation_loss) {
    const double loss = options_.early_stopping ? validation_loss : value();
    if (loss < state_.best_objective || (options_.paper && !options_.early_stopping)) {
      state_.best_objective = loss;
      state_.best_W = state_.W;
      state_.best_iteration = state_.iteration;
    }
  }

  void finish() {
    state_.W = state_.best_W;
    const double tolerance = objective_.rows() > kManyRows ? kManyTolerance : kTightTolerance;
    state_.smooth = objective_.evaluate(state_.W, tolerance, true);
    state_.penalty = penalty_.value(state_.W);
  }

 private:
  // Evaluates G where the state stands, remembering no other value.
  void start_from_here() {
    state_.smooth = objective_.evaluate(state_.W, inner_tol_);
    state_.penalty = penalty_.value(state_.W);
    objective_.keep();
    state_.recent = {value()};
  }

  // An inner residual of `tol` relative to the gradient g of the best constant adds at most tol²
  // g²/2 to G (square loss).
  void choose_inner_tolerance() {
    if (options_.inner_tol > 0 || options_.paper || state_.recent.size() < 2) return;
    const auto [low, high] = std::minmax_element(state_.recent.begin(), state_.recent.end());
    const double decrease = (*high - *low) / static_cast<double>(state_.recent.size() - 1);
    const double scale = std::max(objective_.gradient_scale(), 1e-300);
    inner_tol_ = std::clamp(std::sqrt(2 * kErrorShare * decrease) / scale, kTighterTolerance,
                            kLooseTolerance);
  }

  // G, infinite where projections might not be finite.
  double smooth_at(const Matrix& W) {
    return (W.array().abs() <= kLargestWeight).all() ? objective_.evaluate(W, inner_tol_)
                                                     : std::numeric_limits<double>::infinity();
  }

  void try_step(const Penalty& penalty, double step) {
    trial_ = state_.W - step * gradient_;
    trial_penalty_ = penalty.prox(trial_, step * weight_);
  }

  Step paper_step() {
    state_.step *= 1.5;
    for (int halvings = 0;; ++halvings) {
      const double step = state_.step;
      try_step(penalty_, step);
      trial_smooth_ = smooth_at(trial_);
      const Matrix difference = state_.W - trial_;  // γ G_γ
      const double bound = state_.smooth - gradient_.cwiseProduct(difference).sum() +
                           difference.squaredNorm() / (2 * step);
      const bool finite = std::isfinite(trial_smooth_);
      if ((finite && trial_smooth_ <= bound) || halvings >= options_.max_halvings)
        return finite ? Step::taken : Step::none;
      state_.step *= 0.5;
    }
  }

  // Of a decrease, in the first step of a stage that begins where another one ended.
  double negligible() const {
    return options_.few_steps && state_.stage > 0
               ? kFewStepsFactor * options_.tol * std::abs(value())
               : 0;
  }

  // A step that changes W by about its own size.
  double natural_length() const {
    return std::max(state_.W.norm(), 1e-8) / std::max(gradient_.norm(), 1e-300);
  }

  double spectral_length() const {
    const Matrix dW = state_.W - state_.previous_W;
    const double curvature = dW.cwiseProduct(gradient_ - state_.previous_gradient).sum();
    const double length = curvature > 0 ? dW.squaredNorm() / curvature : 2 * state_.step;
    return std::min(std::max(length, state_.step), 1e3 * natural_length());
  }

  Step spectral_step() {
    const bool first = state_.previous_gradient.size() == 0, fresh = first && state_.step == 0;
    double step = fresh ? natural_length() : first ? state_.step : spectral_length();
    if (fresh && first_step(step)) return Step::taken;
    const double reference = *std::max_element(state_.recent.begin(), state_.recent.end());
    bool zero_is_beyond = false;
    for (int halvings = 0; halvings <= options_.max_halvings; step *= 0.5) {
      try_step(penalty_, step);
      const double moved = (trial_ - state_.W).squaredNorm();
      if (moved == 0) return Step::none;
      const double predicted = moved / (2 * step);
      if (first && !fresh && predicted <= negligible()) return Step::negligible;
      const bool zero = active_particles(trial_) == 0;
      if (zero && zero_is_beyond) continue;
      const double near = zero ? value_of_small_part() : 0;
      trial_smooth_ = smooth_at(trial_);
      zero_is_beyond = zero && near < trial_smooth_;
      if (zero_is_beyond) continue;
      ++halvings;
      if (trial_smooth_ + weight_ * trial_penalty_ <= reference - kSufficient * predicted) {
        state_.step = step;
        return Step::taken;
      }
    }
    return Step::none;
  }

  // No step leads away from W = 0, and one that is too long ends there. It is the wrong end if this
  // is lower than the value there.
  double value_of_small_part() {
    const Matrix part = kSmallPart * state_.W;
    return smooth_at(part) + weight_ * penalty_.value(part);
  }

  // Doubles the step while that helps. A step to W = 0 does not count: the constant model may well
  // be better than W₀, but no step leads away from it; `start` is halved until it does not end
  // there. False, with half of `start`, if already the first try does not help.
  bool first_step(double& start) {
    const std::unique_ptr<Penalty> convex = penalty_.convex();
    double lowest = state_.smooth + weight_ * convex->value(state_.W);
    try_step(*convex, start);
    for (int halvings = 0; halvings < options_.max_halvings; ++halvings) {
      if (active_particles(trial_) > 0) break;
      try_step(*convex, start *= 0.5);
    }
    double best_step = 0;
    for (double step = start; active_particles(trial_) > 0; try_step(*convex, step *= 2)) {
      const double here = smooth_at(trial_) + weight_ * trial_penalty_;
      if (!(here < lowest)) break;
      lowest = here;
      best_step = step;
    }
    if (best_step == 0) {
      start *= 0.5;
      return false;
    }
    try_step(*convex, best_step);
    trial_smooth_ = smooth_at(trial_);
    trial_penalty_ = penalty_.value(trial_);
    state_.step = best_step;
    return true;
  }

  Objective& objective_;
  const Penalty& penalty_;
  const OptimizerOptions& options_;
  OptimizerState& state_;
  const double weight_;  // of Ω
  double inner_tol_;
  Matrix gradient_, trial_;
  double trial_smooth_ = 0, trial_penalty_ = 0;
};

// The relative decrease over so many iterations that is worth going on for.
double worthwhile(const OptimizerState& state, const OptimizerOptions& options) {
  return options.tol * (state.stage == 0 ? 1 : options.few_steps ? kFewStepsFactor : kStageFactor);
}

// Whether the best objective of this stage has stopped decreasing by more than tol, relatively.
bool has_settled(const OptimizerState& state, const OptimizerOptions& options) {
  const int patience = state.stage == 0 ? kPatience : options.few_steps ? 1 : kStagePatience;
  const int steps = static_cast<int>(state.recent.size()) - 1;  // that are remembered
  if (options.tol <= 0 || state.iteration - state.stage_begin < patience ||
      steps < std::min<int>(patience, kMemory - 1)) {
    return false;
  }
  double before = state.initial_objective, now = before;
  for (const IterationRecord& record : state.records) {
    if (record.iteration <= state.stage_begin) continue;
    now = std::min(now, record.objective);
    if (record.iteration <= state.iteration - patience) before = now;
  }
  return before - now <= worthwhile(state, options) * std::abs(before);
}

}  // namespace

void minimize(Objective& objective, const Penalty& penalty, const OptimizerOptions& options,
              const Validation& validation, Observer* observer, OptimizerState& state,
              FitReport& report) {
  Minimizer minimizer(objective, penalty, options, state);
  objective.count_from(state.evaluations, state.inner_iterations);
  if (state.alpha.size() == 0) {
    minimizer.begin();
  } else {
    objective.restore(state);
  }
  report.initial_objective = state.initial_objective;
  report.termination = Termination::max_iterations;

  // Whether to go on is asked before a step, of the state alone: a fit resumed from its last state
  // ends at once.
  for (;;) {
    if (options.early_stopping &&
        state.iteration - state.best_iteration >= options.n_iter_no_change) {
      report.termination = Termination::early_stopped;
      break;
    }
    const bool settled = has_settled(state, options);
    const bool astray =
        minimizer.above_best() > worthwhile(state, options) * std::abs(minimizer.value());
    if (settled && !astray) {
      report.termination = Termination::converged;
      break;
    }
    if (state.iteration - state.stage_begin >= options.max_iter) break;
    if ((state.W.array() == 0).all()) {
      report.termination = Termination::trivial;
      break;
    }
    const auto start = std::chrono::steady_clock::now();
    const int inner_before = objective.inner_iterations();
    if (settled) minimizer.return_to_best();
    if (const Step step = minimizer.iterate(); step != Step::taken) {
      if (step == Step::none && minimizer.above_best() > 0 && state.recent.size() > 1) {
        minimizer.return_to_best();
        continue;
      }
      report.termination = step == Step::none ? Termination::stalled : Termination::converged;
      break;
    }
    IterationRecord record;
    record.iteration = state.iteration;
    record.rows = objective.rows();
    record.objective = minimizer.value();
    record.smooth = state.smooth;
    record.penalty = state.penalty;
    record.step = state.step;
    record.evaluations = objective.evaluations();
    record.inner_iterations = objective.inner_iterations() - inner_before;
    record.active_particles = active_particles(state.W);
    if (validation) record.validation = validation();
    minimizer.judge(record.validation);
    record.seconds = seconds_since(start);
    state.records.push_back(record);
    state.evaluations = record.evaluations;
    state.inner_iterations = objective.inner_iterations();
    objective.save(state);
    if (observer != nullptr && !observer->on_iteration(record, state)) {
      report.termination = Termination::stopped;
      break;
    }
  }
  if (!options.finish) {
    state.W = state.best_W;
    return;
  }
  minimizer.finish();
  report.rows = objective.rows();
  report.objective = minimizer.value();
  report.evaluations = objective.evaluations();
  report.inner_iterations = objective.inner_iterations();
  report.inner_converged = objective.inner().converged;
  report.inner_residual = objective.inner().residual;
  report.iterations = state.records;
}

}  // namespace bkernn
