// Proximal quasi-Newton steps: W⁺ = W + t(U − W), where U minimizes the model of the objective
// near W (local_model.hpp) and t = 1, ½, ¼, … is the first for which the objective falls by a share
// of what the model's slope promises.
//
// A fit begins with spectral steps, which find the scale of W. So does the way on when a line
// search fails: the pairs that led there are forgotten.
//
// The fit has converged when the model promises a relative decrease of at most tol, several times
// in a row: a single promise may be small because the newest pair lies across a kink and makes the
// model stiff.
#include <algorithm>
#include <cmath>

#include "outer/search.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {

std::unique_ptr<StepRule> make_spectral_steps();

namespace {

constexpr int kSpectralSteps = 12;  // that a fit begins with
constexpr int kTries = 6;           // of one line search
// Inner tolerances keep the error of G below this share of the promised decrease, between bounds.
constexpr double kPromiseShare = 0.1;
constexpr double kLoosestStep = 1e-3;
constexpr double kTightestStep = 1e-5;

class QuasiNewtonSteps final : public StepRule {
 public:
  std::string name() const override { return "quasi_newton"; }

  Step find(Search& search) const override {
    if (!follows_model(search)) return spectral_->find(search);
    do {
      const ModelMinimum& model = search.model();
      const bool to_zero = (model.U.array() == 0).all();
      if (!to_zero && model.slope < 0 && line_search(search, model)) return Step::taken;
    } while (search.refine());
    search.state.pairs.forget();
    search.state.recent = {search.value()};
    return spectral_->find(search);
  }

  bool follows_model(const Search& search) const override {
    const OptimizerState& state = search.state;
    return search.has_curvature() && (state.stage > 0 || state.iteration >= kSpectralSteps);
  }

  double first_inner_tolerance(Index rows) const override {
    return spectral_->first_inner_tolerance(rows);
  }

  double inner_tolerance(const Search& search, double now) const override {
    const OptimizerState& state = search.state;
    if (state.promises.empty()) return spectral_->inner_tolerance(search, now);
    const double decrease = state.promises.back() * std::abs(search.value());
    const double scale = std::max(search.objective().gradient_scale(), 1e-300);
    return std::clamp(std::sqrt(2 * kPromiseShare * decrease) / scale, kTightestStep, kLoosestStep);
  }

 private:
  static bool line_search(Search& search, const ModelMinimum& model) {
    const OptimizerState& state = search.state;
    Trial& trial = search.trial;
    double t = 1;
    for (int tries = 0; tries < kTries; ++tries, t *= 0.5) {
      trial.W = t == 1 ? model.U : Matrix(state.W + t * (model.U - state.W));
      trial.penalty = t == 1 ? model.penalty : search.penalty().value(trial.W);
      const double value = search.value(search.evaluate_trial(), trial.penalty);
      if (!(value <= search.value() + kSufficient * t * model.slope)) continue;
      search.state.step = t / state.pairs.sigma();
      return true;
    }
    return false;
  }

  std::unique_ptr<StepRule> spectral_ = make_spectral_steps();
};

}  // namespace

std::unique_ptr<StepRule> make_quasi_newton_steps() {
  return std::make_unique<QuasiNewtonSteps>();
}

}  // namespace bkernn
