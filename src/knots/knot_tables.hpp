// What the knots operator and the preconditioner share: values of rows scattered onto the knots of
// every particle, and functions at the knots gathered for the rows (knot_passes.hpp says how for
// one particle). `place` is n × particles, a table 2·knots × particles.
//
// Rows are summed in fixed blocks and the blocks' tables in block order: nothing else would have to
// be exchanged if the blocks lay on different machines.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "bkernn/types.hpp"
#include "loops/knot_passes.hpp"

namespace bkernn {

class KnotTables {
 public:
  explicit KnotTables(Index rows)
      : n_(rows), tables_(std::clamp<Index>(rows / (4 * kRowsInCache), 1, kMaxBlocks)) {}

  // The table of v, with room for `knots` per particle. It may be changed, and is gone with the
  // next call.
  template <class Places>
  Matrix& scatter(const Places& place, const double* v, Index knots) {
    for (Matrix& table : tables_) table.setZero(2 * knots, place.cols());
    for_rows(place.cols(), [&](Index block, Index a, Index begin, Index rows) {
      loops::scatter_to_knots(rows, &place(begin, a), v + begin, tables_[block].col(a).data());
    });
    for (std::size_t block = 1; block < tables_.size(); ++block) tables_[0] += tables_[block];
    return tables_[0];
  }

  // Both at once, in pieces of rows that stay in cache: V_i = start + Σ over particles of the
  // functions at row i (a column of V for each output, `lines` with the particles of the first
  // output, then those of the second, …); then change(block, begin, rows) may do with those rows of
  // V as it likes; then V is rounded to quanta and scattered. (A segment k has Σ v_i and Σ place_i
  // v_i, and what counts is their difference Σ (place_i − k) v_i: k times a rounded v_i is in
  // quanta again, and nothing is lost.)
  template <class Places, class Change>
  const IntegerMatrix& gather_change_scatter(const Places& place, const Matrix& lines,
                                             const RowVector& start, FixedPoint quantum, Matrix& V,
                                             const Change& change) {
    const Index particles = place.cols(), outputs = V.cols();
    sums_.resize(tables_.size());
    for (IntegerMatrix& table : sums_) table.setZero(lines.rows(), lines.cols());
    for_pieces(static_cast<double>(particles * outputs), [&](Index block, Index begin, Index rows) {
      V.middleRows(begin, rows).rowwise() = start;
      for (Index c = 0; c < particles * outputs; ++c) {
        loops::gather_from_knots(rows, &place(begin, c % particles), lines.col(c).data(),
                                 &V(begin, c / particles));
      }
      change(block, begin, rows);
      auto some = V.middleRows(begin, rows);
      some = some.unaryExpr([quantum](double v) { return quantum.rounded(v); });
      for (Index c = 0; c < particles * outputs; ++c) {
        loops::scatter_to_knots(rows, &place(begin, c % particles), &V(begin, c / particles),
                                quantum, sums_[block].col(c).data());
      }
    });
    for (std::size_t block = 1; block < sums_.size(); ++block) sums_[0] += sums_[block];
    return sums_[0];
  }

  // Calls body(block, begin, rows) for pieces of rows that stay in cache; those of a block one
  // after the other.
  template <class Body>
  void for_pieces(double cost_per_row, const Body& body) const {
    parallel_for(blocks(), static_cast<double>(n_) * cost_per_row, [&](Index block) {
      const Index last = n_ * (block + 1) / blocks();
      for (Index begin = n_ * block / blocks(); begin < last; begin += kRowsInCache)
        body(block, begin, std::min(kRowsInCache, last - begin));
    });
  }
  Index blocks() const { return static_cast<Index>(tables_.size()); }

  // out_i += Σ over particles of the table's function at row i.
  template <class Places>
  void gather(const Places& place, const Matrix& table, double* out) const {
    for_rows(place.cols(), [&](Index, Index a, Index begin, Index rows) {
      loops::gather_from_knots(rows, &place(begin, a), table.col(a).data(), out + begin);
    });
  }

 private:
  static constexpr Index kRowsInCache = 2048;
  static constexpr Index kMaxBlocks = 16;

  template <class Body>
  void for_rows(Index particles, const Body& body) const {
    for_pieces(static_cast<double>(particles), [&](Index block, Index begin, Index rows) {
      for (Index a = 0; a < particles; ++a) body(block, a, begin, rows);
    });
  }

  Index n_;
  std::vector<Matrix> tables_;  // per block of rows
  std::vector<IntegerMatrix> sums_;
};

}  // namespace bkernn
