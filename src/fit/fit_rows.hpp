// The fit itself: stages, objectives, assembly of the model; of rows that lie anywhere.
#pragma once

#include <memory>

#include "bkernn/fit.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "objective/objective.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

// All rows of a fit, in its coordinates.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual const Coordinates& coordinates() const = 0;

  // So many of them, drawn by `seed` (stages.hpp).
  virtual PreparedData sample(Index count, std::uint64_t seed) = 0;

  // λ of the options' rule.
  virtual double choose_lambda() = 0;

  // The objective of all rows.
  virtual std::unique_ptr<Objective> objective(double lambda) = 0;
};

// The rows that place the knots and make the preconditioner of a KnotObjective.
PreparedData knot_sample(Rows& rows, std::uint64_t seed);

// Rows that judge each iteration, in the units of the input.
struct ValidationRows {
  const MatrixView* X = nullptr;
  const MatrixView* Y = nullptr;
};

// Owns the operator and the solver of the objective of some rows, which must outlive it, as must
// kernel and loss.
std::unique_ptr<Objective> make_dual_objective(const PreparedData& data, const FitOptions& options,
                                               const std::string& kernel_operator,
                                               const Kernel& kernel, const Loss& loss,
                                               double lambda);

// `on_knots`: the objective of all rows is a KnotObjective. α of the result is that of the rows
// here, empty if they are elsewhere.
FitResult fit_rows(Rows& rows, const FitOptions& options, bool on_knots, const Loss& loss,
                   const ValidationRows& validation, const FitState* resume,
                   Observer* observer);

}  // namespace bkernn
