// The version of the linked library.
#pragma once

namespace bkernn {

const char* version();  // "major.minor.patch"

}  // namespace bkernn
