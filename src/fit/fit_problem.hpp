// What a fit consists of, once its options have met its rows.
#pragma once

#include <memory>
#include <string>

#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "bkernn/penalty.hpp"
#include "rows/shards.hpp"

namespace bkernn {

// The parts that the options name.
struct FitParts {
  // For so many rows. Throws InvalidArgument for what they do not allow.
  FitParts(const FitOptions& options, Index rows);

  FitOptions options;  // with as many knots as "auto" comes to
  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<Loss> loss;
  std::unique_ptr<Penalty> penalty;
  std::string kernel_operator;  // sorted, knots or dense
  bool on_knots;                // whether the inner problem is solved for values at knots
};

// With its rows, which are brought into the coordinates of the fit. Throws InvalidArgument if the
// memory of this machine would not do for rows that lie here.
struct FitProblem {
  FitProblem(const FitParts& parts, Shards& shards);

  const FitParts& parts;
  Shards& shards;
  Coordinates coordinates;

  Index n() const { return coordinates.n; }
  Index d() const { return coordinates.center.size(); }
  Index q() const { return coordinates.target_center.size(); }
};

}  // namespace bkernn
