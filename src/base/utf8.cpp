#include "base/utf8.hpp"

namespace bkernn {

bool is_utf8(const std::string& text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = p + text.size();
  while (p != end) {
    const unsigned char c = *p++;
    const int more = c < 0x80                ? 0
                     : c >= 0xC2 && c < 0xE0 ? 1
                     : (c & 0xF0) == 0xE0    ? 2
                     : c >= 0xF0 && c < 0xF5 ? 3
                                             : -1;
    if (more < 0 || end - p < more) return false;
    if (more > 0) {
      const unsigned char next = *p;
      if ((c == 0xE0 && next < 0xA0) || (c == 0xED && next > 0x9F) || (c == 0xF0 && next < 0x90) ||
          (c == 0xF4 && next > 0x8F)) {
        return false;  // longer than needed, a surrogate, or beyond Unicode
      }
    }
    for (int i = 0; i < more; ++i) {
      if ((*p++ & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

}  // namespace bkernn
