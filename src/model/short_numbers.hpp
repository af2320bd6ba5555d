// Numbers that take few digits to write.
#pragma once

namespace bkernn {

// The number of fewest decimals within `most` of the value, or the value itself if none is shorter.
// It is the double nearest to that decimal, so that its shortest spelling has these digits.
double short_number_near(double value, double most);

}  // namespace bkernn
