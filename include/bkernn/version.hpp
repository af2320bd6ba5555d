// The version of the linked library.
#pragma once

#include <string>

namespace bkernn {

const char* version();  // "major.minor.patch"

// How it was built and what it runs on: "GCC 12.2.0, x86-64 with AVX2".
std::string build_description();

}  // namespace bkernn
