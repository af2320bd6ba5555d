#include "choice/ranked_rows.hpp"

#include <cmath>

#include "columns/rank_curves.hpp"

namespace bkernn {
namespace {

// x of coordinate a, in the units of the table.
Vector given_values(const Coordinates& coordinates, const StandardRows& rows, Index a) {
  return (coordinates.scale(a) * rows.Z.col(a)).array() + coordinates.center(a);
}

Encoder without_curves(const FitProblem& problem) {
  if (problem.encoder != nullptr && !problem.encoder->empty()) return *problem.encoder;
  Encoder plain;
  plain.columns.resize(problem.d());
  for (Index a = 0; a < problem.d(); ++a) plain.columns[a].mean = problem.coordinates.center(a);
  return plain;
}

}  // namespace

Encoder rank_columns(const FitProblem& problem, const StandardRows& rows,
                     const std::string& ranks) {
  Encoder encoder = without_curves(problem);
  Index at = 0;
  for (EncodedColumn& column : encoder.columns) {
    const Index width = column.coordinates();
    if (!column.category)
      column.curves = {learn_curve(ranks, given_values(problem.coordinates, rows, at), rows.s)};
    at += width;
  }
  return encoder;
}

Matrix bent(const FitProblem& problem, const StandardRows& rows, const Encoder& curves) {
  Matrix Z = rows.Z;
  Index at = 0;
  for (const EncodedColumn& column : curves.columns) {
    const Index width = column.coordinates();
    if (!column.category && column.curves.front().bends()) {
      const Vector x =
          given_values(problem.coordinates, rows, at).unaryExpr(std::cref(column.curves.front()));
      const double total = rows.s.sum(), mean = rows.s.dot(x) / total;
      const Vector centered = x.array() - mean;
      Z.col(at) = centered / std::sqrt(rows.s.dot(centered.cwiseAbs2()) / total);
    }
    at += width;
  }
  return Z;
}

}  // namespace bkernn
