// How questions to the shards and their answers travel, as matrices. One number is 1×1, a number
// per column one row. Knots travel as their numbers per particle, then all of them, behind a 1 for
// "these" or a 0 for "as before".
#pragma once

#include <optional>

#include "bkernn/row_shard.hpp"
#include "rows/shards.hpp"

namespace bkernn {

inline Matrix pack_number(double value) {
  return Matrix::Constant(1, 1, value);
}

inline Message pack_totals(const RowTotals& totals) {
  return {pack_number(static_cast<double>(totals.n)), pack_number(totals.weight), totals.largest.x,
          totals.largest.y};
}

inline RowTotals unpack_totals(const Message& message) {
  return {static_cast<Index>(message[0](0)), message[1](0), {message[2], message[3]}};
}

inline Message pack_sums(const RowSums& sums) {
  return {pack_number(sums.weight), sums.sum.x, sums.sum.y};
}

inline RowSums unpack_sums(const Message& message) {
  return {message[0](0), {message[1], message[2]}};
}

inline Message pack_rows(const StandardRows& rows) {
  return {rows.Z, rows.Y, rows.s};
}

inline StandardRows unpack_rows(const Message& message) {
  return {message[0], message[1], message[2]};
}

inline Message pack_evaluate(const KnotLayout* layout, const Matrix& x, double quantum) {
  if (layout == nullptr)
    return {pack_number(0), Matrix(0, 1), Matrix(0, 1), x, pack_number(quantum)};
  const Index particles = layout->particles();
  Matrix counts(particles, 1), values(layout->unknowns() + particles, 1);
  Index next = 0;
  for (Index a = 0; a < particles; ++a) {
    const Vector& knots = layout->knots(a);
    counts(a, 0) = static_cast<double>(knots.size());
    values.middleRows(next, knots.size()) = knots;
    next += knots.size();
  }
  return {pack_number(1), counts, values, x, pack_number(quantum)};
}

inline std::optional<KnotLayout> unpack_knots(const Message& message) {
  if (message[0](0) == 0) return {};
  Knots t;
  Index next = 0;
  for (Index a = 0; a < message[1].rows(); ++a) {
    const auto knots = static_cast<Index>(message[1](a, 0));
    t.emplace_back(message[2].col(0).segment(next, knots));
    next += knots;
  }
  return KnotLayout(std::move(t));
}

inline Message pack_evaluation(const Evaluation& found) {
  Matrix numbers(1, 5);
  numbers << found.loss, found.squares, found.largest, found.curvature, found.max_abs_z;
  return {numbers, found.gradient};
}

inline Evaluation unpack_evaluation(const Message& message) {
  const Matrix& numbers = message[0];
  return {numbers(0), numbers(1), numbers(2), numbers(3), numbers(4), message[1]};
}

}  // namespace bkernn
