// Pairs of directions that do more together than each alone. A direction that acts only through a
// product looks flat by itself: the map of the pair shows what it does.
#pragma once

#include "report/along.hpp"
#include "report/json.hpp"

namespace bkernn::report {

// {"maps": the pairs that do most, "through": for each direction the partner through which it does
// more than by itself, or null, "pairs": how many were looked at}.
//
// Over a grid, weighed by how many rows lie near each position, the prediction along two directions
// is split in the means over one and the other, and what is left: the spread of that is what they
// do together. A pair is shown if it is at least a tenth of the largest spread of a pair.
Json direction_maps(const SavedModel& saved, const Along& along);

}  // namespace bkernn::report
