#include "outer/local_model.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace bkernn {
namespace {

constexpr double kAccuracy = 0.1;  // of the minimizer: its residual relative to that at W
constexpr int kModelHalvings = 8;
constexpr std::size_t kModelMemory = 5;  // values of q that a step is judged by
constexpr double kFewestProxes = 10, kMostProxes = 100;

double inner_product(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).sum();
}

// A point U with what q needs of it.
struct ModelPoint {
  Matrix U, BD;  // B(U − W)
  double penalty, value;
};

}  // namespace

ModelMinimum minimize(const LocalModel& model, int proxes) {
  const Matrix &W = model.W, &gradient = model.gradient;
  const Curvature B(model.pairs);
  ModelPoint now{W, Matrix::Zero(W.rows(), W.cols()), model.penalty_at_W,
                 model.weight * model.penalty_at_W};
  ModelPoint best = now, next;
  const double at_W = now.value;
  const auto step_from_now = [&](double step) {
    next.U = now.U - step * (gradient + now.BD);
    next.penalty = model.penalty.prox(next.U, step * model.weight);
    const Matrix D = next.U - W;
    next.BD = B.times(D);
    next.value =
        inner_product(gradient, D) + 0.5 * inner_product(D, next.BD) + model.weight * next.penalty;
    --proxes;
  };
  std::deque<double> recent{at_W};
  double step = 1 / model.pairs.sigma(), first_residual = 0;
  while (proxes > 0) {
    const double reference = *std::max_element(recent.begin(), recent.end());
    double moved = 0;
    bool accepted = false;
    for (int halvings = 0; halvings < kModelHalvings && !accepted; ++halvings) {
      if (halvings > 0) step *= 0.5;
      step_from_now(step);
      moved = (next.U - now.U).squaredNorm();
      accepted = next.value <= reference - kSufficient * moved / (2 * step);
    }
    if (!accepted || moved == 0) break;
    const double residual = std::sqrt(moved) / step;
    if (first_residual == 0) first_residual = residual;
    const double curvature = inner_product(next.U - now.U, next.BD - now.BD);
    std::swap(now, next);
    if (now.value < best.value) best = now;
    if (residual <= kAccuracy * first_residual) break;
    recent.push_back(now.value);
    if (recent.size() > kModelMemory) recent.pop_front();
    step = curvature > 0 ? moved / curvature : 2 * step;
  }
  const double slope =
      inner_product(gradient, best.U - W) + model.weight * (best.penalty - model.penalty_at_W);
  return {std::move(best.U), best.penalty, slope, at_W - best.value};
}

// Counted, not timed, so that the steps do not depend on the machine. An element of a pass over
// sorted rows takes about as long as four multiplications in a dense product.
int proxes_per_evaluation(Index rows, Index d, Index m) {
  constexpr double kPasses = 20;  // of conjugate gradients
  constexpr double kRowCost = 4;
  const auto size = static_cast<double>(d * m);
  const auto smaller = static_cast<double>(std::min(d, m));
  const double evaluation =
      kRowCost * static_cast<double>(rows * m) * (kPasses + 2 * static_cast<double>(d));
  const double prox = size * (4 * static_cast<double>(CurvaturePairs::kMost) + 4 * smaller) +
                      10 * smaller * smaller * smaller;
  return static_cast<int>(std::clamp(evaluation / prox, kFewestProxes, kMostProxes));
}

}  // namespace bkernn
