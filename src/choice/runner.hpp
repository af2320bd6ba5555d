// One penalty, one λ and one kind of ranks in a race, and the look at it while it runs.
#pragma once

#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "bkernn/observer.hpp"
#include "choice/heats.hpp"
#include "choice/held_out.hpp"
#include "objective/objective.hpp"

namespace bkernn {

constexpr int kEarlyIterations = 8;
constexpr double kClearlyBehind = 3;  // standard errors

struct Runner {
  std::string ranks, penalty;
  double lambda = 0;          // of all rows
  std::vector<Vector> early;  // losses of held-out rows after kEarlyIterations, in each heat …
  std::vector<Vector> final;  // … and at the end; empty: dropped
  std::vector<Matrix> F;      // predictions of the same rows, then
  std::vector<char> settled;  // whether the fit of a heat has converged
  std::vector<int> products;  // of each heat
  std::vector<Matrix> W;      // where it ended
  bool dropped = false;
  double loss = std::numeric_limits<double>::infinity();  // mean
};

// Looks at the held-out rows once, early on, and stops a fit that is clearly behind; or one that
// takes too many products, or another heat of which has been stopped.
class EarlyCheck final : public Observer {
 public:
  EarlyCheck(const Heat& heat, const Loss& loss, const Vector* leader, int most_products,
             const std::atomic<bool>& abandoned)
      : heat_(heat),
        loss_(loss),
        leader_(leader),
        most_products_(most_products),
        abandoned_(abandoned) {}

  bool on_iteration(const IterationRecord& record, const FitState&) override {
    products += record.inner_iterations;
    dropped = abandoned_ || products > most_products_;
    if (dropped) return false;
    if (record.iteration != kEarlyIterations) return true;
    seen = row_losses(loss_, heat_.held_out.Y, objective->predict(heat_.held_out.Z));
    if (leader_ == nullptr || leader_->size() != seen.size()) return true;
    const Difference behind = compare(seen, *leader_, heat_.held_out.s);
    dropped = behind.mean > kClearlyBehind * behind.error;
    return !dropped;
  }

  const Objective* objective = nullptr;
  Vector seen;
  int products = 0;
  bool dropped = false;

 private:
  const Heat& heat_;
  const Loss& loss_;
  const Vector* leader_;
  const int most_products_;
  const std::atomic<bool>& abandoned_;
};

}  // namespace bkernn
