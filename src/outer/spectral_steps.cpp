// Steps of Barzilai and Borwein, γ = ‖ΔW‖²/⟨ΔW, Δ∇G⟩ but no shorter than the last one, accepted
// against the largest of the last few objectives (the line search of SpaRSA), else halved. Such a
// step follows the curvature of G between two points instead of its worst kink, where the steps of
// Algorithm 1 shrink to nothing.
//
// The first step is doubled as long as the objective falls: W₀ does not know the scale of y, and
// the optimal W may be a hundred times larger. It is judged by the convex relative of the penalty:
// a concave one has almost no slope left at a large W and would let the first step run away.
//
// No step leads away from W = 0. So a step that ends there is taken only if 0 is better than a
// small part of W.
#include <algorithm>
#include <cmath>

#include "outer/search.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

// Inner tolerances keep the error of G below this share of the recent decrease, between these
// bounds.
constexpr double kErrorShare = 0.1;
constexpr double kLooseTolerance = 1e-2;
constexpr double kTighterTolerance = 1e-4;
constexpr double kSmallPart = 1.0 / 32;  // of W, to look at W = 0 from nearby

// A step that changes W by about its own size.
double natural_length(const Search& search) {
  return std::max(search.state.W.norm(), 1e-8) / std::max(search.gradient().norm(), 1e-300);
}

double spectral_length(const Search& search) {
  const OptimizerState& state = search.state;
  const Matrix dW = state.W - state.previous_W;
  const double curvature = dW.cwiseProduct(search.gradient() - state.previous_gradient).sum();
  const double length = curvature > 0 ? dW.squaredNorm() / curvature : 2 * state.step;
  return std::min(std::max(length, state.step),
                  search.options().longest_step * natural_length(search));
}

bool is_zero(const Matrix& W) {
  return (W.array() == 0).all();
}

// G + λΩ at a small part of W: if it is lower than at W = 0, that is the wrong place to end.
double value_near_zero(Search& search) {
  const Matrix part = kSmallPart * search.state.W;
  const double smooth = search.smooth_at(part);
  return search.value(smooth, search.penalty().value(part));
}

// Doubles the step while that helps. A step to W = 0 does not count: the constant model may well be
// better than W₀, but no step leads away from it; `start` is halved until it does not end there.
// False, with half of `start`, if already the first try does not help.
bool find_first_step(Search& search, double& start) {
  const std::unique_ptr<Penalty> convex = search.penalty().convex();
  Trial& trial = search.trial;
  double lowest = search.value(search.state.smooth, convex->value(search.state.W));
  search.try_step(*convex, start);
  for (int halvings = 0; halvings < search.options().max_halvings; ++halvings) {
    if (!is_zero(trial.W)) break;
    search.try_step(*convex, start *= 0.5);
  }
  double best_step = 0;
  for (double step = start; !is_zero(trial.W); search.try_step(*convex, step *= 2)) {
    const double smooth = search.evaluate_trial(), here = search.value(smooth, trial.penalty);
    if (!(here < lowest)) break;
    lowest = here;
    best_step = step;
  }
  if (best_step == 0) {
    start *= 0.5;
    return false;
  }
  search.try_step(*convex, best_step);
  search.evaluate_trial();
  trial.penalty = search.penalty().value(trial.W);
  search.state.step = best_step;
  return true;
}

class SpectralSteps final : public StepRule {
 public:
  std::string name() const override { return "spectral"; }

  Step find(Search& search) const override {
    OptimizerState& state = search.state;
    const bool first = state.previous_gradient.size() == 0, fresh = first && state.step == 0;
    double step = fresh ? natural_length(search) : first ? state.step : spectral_length(search);
    if (fresh && find_first_step(search, step)) return Step::taken;
    const double reference = *std::max_element(state.recent.begin(), state.recent.end());
    bool zero_is_beyond = false;
    for (int halvings = 0; halvings <= search.options().max_halvings; step *= 0.5) {
      search.try_step(step);
      const Matrix& W = search.trial.W;
      const double moved = (W - state.W).squaredNorm();
      if (moved == 0) return Step::none;
      const double predicted = moved / (2 * step);
      const bool zero = is_zero(W);
      if (zero && zero_is_beyond) continue;
      const double near = zero ? value_near_zero(search) : 0;
      const double smooth = search.evaluate_trial();
      zero_is_beyond = zero && near < smooth;
      if (zero_is_beyond) continue;
      ++halvings;
      if (search.value(smooth, search.trial.penalty) <= reference - kSufficient * predicted) {
        state.step = step;
        return Step::taken;
      }
    }
    return Step::none;
  }

  double first_inner_tolerance(Index) const override { return kLooseTolerance; }

  // An inner residual of `tol`, relative to the gradient g of the best constant, adds at most
  // tol² g²/2 to G (square loss).
  double inner_tolerance(const Search& search, double now) const override {
    const std::vector<double>& recent = search.state.recent;
    if (recent.size() < 2) return now;
    const auto [low, high] = std::minmax_element(recent.begin(), recent.end());
    const double decrease = (*high - *low) / static_cast<double>(recent.size() - 1);
    const double scale = std::max(search.objective().gradient_scale(), 1e-300);
    return std::clamp(std::sqrt(2 * kErrorShare * decrease) / scale, kTighterTolerance,
                      kLooseTolerance);
  }
};

}  // namespace

std::unique_ptr<StepRule> make_spectral_steps() {
  return std::make_unique<SpectralSteps>();
}

}  // namespace bkernn
