// Where rows stand in the memory of an operator, so that rows with similar projections are
// neighbors there.
//
// A scan visits the rows in the order of one projection, and the projections of all particles are
// those of a few coordinates: the first left singular vectors u_k of W, scaled by their singular
// values, so that distances are those that projections see. Space is cut into equal cubes along
// these coordinates, and the rows follow the cubes in Morton order: the bits of the coordinates
// take turns. A line of memory then holds rows of one small cube, and a scan comes back to it
// before it has left the cache.
//
// Sums over rows that are taken in the order of a projection are the same bits wherever the rows
// stand.
#pragma once

#include <cstdint>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

class RowPlaces {
 public:
  // For rows X (n×d) and directions W (d×m). Few rows stand as they are, for they all fit into the
  // cache. Places that still serve are kept: those that have most of W in their coordinates.
  void arrange(const Matrix& X, const Matrix& W);

  // Whether rows stand elsewhere than in their own order.
  bool moved() const { return !place_.empty(); }

  // Rows become their places.
  void move(std::int32_t* rows, Index count) const;

  // V with its rows at their places, and back.
  Matrix arranged(const Matrix& V) const;
  Matrix restored(const Matrix& V) const;

 private:
  bool serves(const Matrix& W, double possible) const;

  Matrix basis_;                     // d × at most 3
  std::vector<std::int32_t> place_;  // n, or empty
};

}  // namespace bkernn
