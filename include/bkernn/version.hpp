// The version of the library that is linked.
#pragma once

namespace bkernn {

const char* version();  // "major.minor.patch"

}  // namespace bkernn
