// How much memory a fit takes, and how much is free.
#pragma once

#include <string>

#include "bkernn/types.hpp"

namespace bkernn {

// Bytes that a fit of n rows, d variables, m particles and q outputs takes at its peak, in addition
// to the caller's data. An estimate:
//
//   8n (d + 20q)            with any operator: the prepared rows, and 20 vectors for each output
//   + 16nm + 8nm (1 + q)    sorted
//   + 6nm                   knots
//   + 24n²                  dense
double memory_of_fit(const std::string& kernel_operator, Index n, Index d, Index m, Index q);

// Bytes that this process may still take: what is free on the machine, within the limits of the
// process and of its control group. Infinite if nothing is known.
double available_memory();

// Throws InvalidArgument if a fit needs more than `available` bytes. The message gives the estimate
// and says what would help: fewer particles, and knots or fewer rows.
void check_memory(const std::string& kernel_operator, Index n, Index d, Index m, Index q,
                  double available);

}  // namespace bkernn
