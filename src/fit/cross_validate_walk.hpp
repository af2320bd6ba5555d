// One training set, many λ: what a fold of a cross-validation does. The rows are prepared and the
// kernel operator is made once; every fit starts from what the one before has found.
#pragma once

#include <memory>

#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/penalty.hpp"
#include "operators/kernel_operator.hpp"
#include "outer/optimizer.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

class PathWalk {
 public:
  // options.regularization is ignored.
  PathWalk(const FitInput& input, const FitOptions& options);

  // Fits at this λ (in the units of y), from where the walk stands if `warm`, else from W₀. Returns
  // false if the observer stopped it.
  bool fit(double regularization, bool warm, Observer* observer = nullptr);

  // f of the last fit, n×q, in the units of y.
  Matrix predict(const MatrixView& X) const;

  const FitReport& report() const { return report_; }
  const Matrix& W() const { return state_.W; }

 private:
  FitOptions options_;
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<Penalty> penalty_;
  PreparedData data_;
  std::unique_ptr<KernelOperator> K_;
  Matrix initial_;        // W₀
  OptimizerState state_;  // of the last fit
  double lambda_ = 0;     // of the last fit, as the standardized problem sees it; 0: none yet
  Matrix alpha_;          // of the last fit
  RowVector intercept_;
  FitReport report_;
};

// The smallest λ, in the units of the standardized problem, at which the constant is optimal; see
// cross_validate.hpp.
double critical_lambda(const PreparedData& data, const FitOptions& options, const Loss& loss);

}  // namespace bkernn
