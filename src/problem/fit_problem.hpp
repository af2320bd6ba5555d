// What a fit consists of, once its options have met its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/columns.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "rows/shards.hpp"

namespace bkernn {

// The parts that the options name.
struct FitParts {
  // For so many rows. Throws InvalidArgument for what they do not allow.
  FitParts(const FitOptions& options, Index rows);

  FitOptions options;  // with as many knots as "auto" comes to
  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<Loss> loss;
  std::string kernel_operator;  // sorted, knots or dense
  bool on_knots;                // whether the inner problem is solved for values at knots
};

// With its rows, which are brought into the coordinates of the fit. Throws InvalidArgument if the
// memory of this machine would not do for rows that lie here.
struct FitProblem {
  FitProblem(const FitParts& parts, Shards& shards, const Encoder* encoder = nullptr);

  // The same rows, with directions in the space of these columns alone.
  FitProblem(const FitParts& parts, const FitProblem& whole, Matrix subspace);

  const FitParts& parts;
  Shards& shards;
  const Encoder* encoder;  // null: none
  Coordinates coordinates;
  Matrix subspace =
      {};  // P, d×k with orthonormal columns (subspace_objective.hpp); empty: anywhere
  mutable std::vector<Index> order;  // of the rows that lie here (row_order.hpp), once it is known

  Index n() const { return coordinates.n; }
  Index d() const { return coordinates.center.size(); }
  Index q() const { return coordinates.target_center.size(); }
};

// `count` of all rows, drawn by `seed`; their weights sum to their number. Exact fits draw them
// along row_order(), so that they do not depend on how the rows came. Rows on knots may lie
// anywhere: those are drawn by their numbers.
StandardRows sample(const FitProblem& problem, Index count, std::uint64_t seed);

// Bytes that a fit of n rows, d variables, m particles and q outputs takes at its peak, in addition
// to the caller's data. An estimate:
//
//   8n (d + 20q)            with any operator: the prepared rows, and 20 vectors for each output
//   + 320dm                 twenty pairs of curvature
//   + 16nm + 8nm (1 + q)    sorted
//   + 6nm                   knots
//   + 24n²                  dense
double memory_of_fit(const std::string& kernel_operator, Index n, Index d, Index m, Index q);

// Throws InvalidArgument if a fit needs more than `available` bytes. The message gives the estimate
// and says what would help: fewer particles, and knots or fewer rows.
void check_memory(const std::string& kernel_operator, Index n, Index d, Index m, Index q,
                  double available);

}  // namespace bkernn
