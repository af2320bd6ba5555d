// Text that comes out of files.
#pragma once

#include <string>

namespace bkernn {

// Whether the bytes are UTF-8 text, by the letter: no longer forms than needed, no surrogates,
// nothing beyond Unicode.
bool is_utf8(const std::string& text);

}  // namespace bkernn
