// How much memory a fit takes, and how much there is.
#pragma once

#include <string>

#include "bkernn/types.hpp"

namespace bkernn {

// Bytes at the peak of a fit of n rows, d variables, m particles and q outputs, beside the caller's
// data.
double memory_of_fit(const std::string& kernel_operator, Index n, Index d, Index m, Index q);

// Bytes that this process may still take: what the machine has free, within the limits set for the
// process and its control group. Infinite if nothing is known.
double available_memory();

// Throws InvalidArgument with the estimate and the way out if a fit needs more than `available`
// bytes.
void check_memory(const std::string& kernel_operator, Index n, Index d, Index m, Index q,
                  double available);

}  // namespace bkernn
