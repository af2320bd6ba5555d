// Algorithm 1 of the paper: γ ← 1.5γ, then halved while
//
//   G(W⁺) > G(W) − γ⟨∇G, G_γ⟩ + (γ/2)‖G_γ‖²,      G_γ = (W − W⁺)/γ.
#include <cmath>

#include "outer/search.hpp"
#include "outer/step_rule.hpp"

namespace bkernn {
namespace {

constexpr double kPaperTolerance = 1e-9;       // of every inner problem …
constexpr double kLoosePaperTolerance = 1e-4;  // … and from so many rows on
constexpr Index kLooseFrom = 5000;

class PaperSteps final : public StepRule {
 public:
  std::string name() const override { return "paper"; }

  Step find(Search& search) const override {
    double& step = search.state.step;
    step *= 1.5;
    for (int halvings = 0;; ++halvings, step *= 0.5) {
      search.try_step(step);
      const double smooth = search.evaluate_trial();
      const Matrix difference = search.state.W - search.trial.W;  // γ G_γ
      const double bound = search.state.smooth - search.gradient().cwiseProduct(difference).sum() +
                           difference.squaredNorm() / (2 * step);
      const bool finite = std::isfinite(smooth);
      if ((finite && smooth <= bound) || halvings >= search.options().max_halvings)
        return finite ? Step::taken : Step::none;
    }
  }

  double first_step_size(const OptimizerOptions& options) const override {
    return options.step_size;
  }
  double first_inner_tolerance(Index rows) const override {
    return rows >= kLooseFrom ? kLoosePaperTolerance : kPaperTolerance;
  }
  double inner_tolerance(const Search&, double now) const override { return now; }
  bool returns_last() const override { return true; }
  bool allows_samples() const override { return false; }
};

}  // namespace

std::unique_ptr<StepRule> make_paper_steps() {
  return std::make_unique<PaperSteps>();
}

}  // namespace bkernn
