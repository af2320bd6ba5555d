// How much memory is free.
#pragma once

namespace bkernn {

// Bytes that this process may still take: what is free on the machine, within the limits of the
// process and of its control group. Infinite if nothing is known.
double available_memory();

}  // namespace bkernn
