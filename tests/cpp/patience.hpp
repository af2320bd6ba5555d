// After how long something hangs. No machine is so busy that what does not hang takes as long.
#pragma once

namespace bkernn {

constexpr int kPatience = 1800;  // seconds

}  // namespace bkernn
