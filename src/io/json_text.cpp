#include "io/json_text.hpp"

#include <charconv>
#include <cstring>
#include <limits>

namespace bkernn {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A decimal number, mantissa × 10^exponent, as far as 64 bits hold its digits.
struct Decimal {
  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
  bool negative = false, whole = true;
  bool complete = true;  // the mantissa has all digits

  void append(char character) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const auto digit = static_cast<std::uint64_t>(character - '0');
    if (mantissa >= kMost / 10 && (mantissa > kMost / 10 || digit > kMost % 10)) complete = false;
    if (complete) {
      mantissa = 10 * mantissa + digit;
    } else {
      ++exponent;
    }
  }

  // Whether one division or product of exact numbers gives the nearest double.
  bool simple() const {
    return complete && mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22;
  }

  double simple_value() const {
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const auto digits = static_cast<double>(mantissa);
    const double size = exponent < 0 ? digits / kPowers[-exponent] : digits * kPowers[exponent];
    return negative ? -size : size;
  }
};

// Recursion is as deep as the nesting, which the builder limits.
class JsonText {
 public:
  JsonText(const std::string& text, DocumentBuilder& builder)
      : begin_(text.data()), p_(begin_), end_(begin_ + text.size()), builder_(builder) {}

  bool parse() {
    if (starts_with("\xEF\xBB\xBF")) p_ += 3;
    if (!value()) return false;
    skip_space();
    return p_ == end_ || fail();
  }

 private:
  bool fail() { return builder_.misunderstood(static_cast<std::size_t>(p_ - begin_)); }

  bool starts_with(const char* word) const {
    const std::size_t size = std::strlen(word);
    return static_cast<std::size_t>(end_ - p_) >= size && std::memcmp(p_, word, size) == 0;
  }

  void skip_space() {
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
  }

  // The next character, if it is this one.
  bool accept(char c) {
    skip_space();
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  bool accept_word(const char* word) {
    if (!starts_with(word)) return false;
    p_ += std::strlen(word);
    return true;
  }

  bool value() {
    skip_space();
    if (p_ == end_) return fail();
    if (*p_ == '-' || is_digit(*p_)) return number();
    if (*p_ == '[') return array();
    if (*p_ == '{') return object();
    if (*p_ == '"') return text() && builder_.string(text_);
    if (accept_word("true")) return builder_.boolean(true);
    if (accept_word("false")) return builder_.boolean(false);
    return accept_word("null") ? builder_.null() : fail();
  }

  bool array() {
    ++p_;
    if (!builder_.start_array(0)) return false;
    if (accept(']')) return builder_.end_array();
    do {
      if (!value()) return false;
    } while (accept(','));
    return accept(']') ? builder_.end_array() : fail();
  }

  bool object() {
    ++p_;
    if (!builder_.start_object(0)) return false;
    if (accept('}')) return builder_.end_object();
    do {
      skip_space();
      if (p_ == end_ || *p_ != '"') return fail();
      if (!text() || !builder_.key(text_)) return false;
      if (!accept(':')) return fail();
      if (!value()) return false;
    } while (accept(','));
    return accept('}') ? builder_.end_object() : fail();
  }

  // -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  bool number() {
    const char* const first = p_;
    Decimal decimal;
    decimal.negative = *p_ == '-';
    if (decimal.negative) ++p_;
    if (p_ == end_ || !is_digit(*p_)) return fail();
    if (*p_ == '0') {
      ++p_;
    } else {
      while (p_ != end_ && is_digit(*p_)) decimal.append(*p_++);
    }
    if (p_ != end_ && *p_ == '.') {
      ++p_;
      decimal.whole = false;
      const char* const after = p_;
      while (p_ != end_ && is_digit(*p_)) decimal.append(*p_++);
      if (p_ == after) return fail();
      decimal.exponent -= p_ - after;
    }
    if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
      decimal.whole = false;
      if (!exponent(decimal)) return fail();
    }
    if (decimal.whole && decimal.complete && whole(decimal)) return add_whole(decimal);
    return decimal.simple() ? builder_.number_float(decimal.simple_value(), {})
                            : other_number(first, decimal);
  }

  bool exponent(Decimal& decimal) {
    constexpr std::int64_t kMost = 1'000'000'000;
    ++p_;
    const bool down = p_ != end_ && *p_ == '-';
    if (p_ != end_ && (*p_ == '-' || *p_ == '+')) ++p_;
    const char* const after = p_;
    std::int64_t size = 0;
    for (; p_ != end_ && is_digit(*p_); ++p_) {
      if (size < kMost) size = 10 * size + (*p_ - '0');
    }
    decimal.exponent += down ? -size : size;
    return p_ != after;
  }

  static bool whole(const Decimal& decimal) {
    return !decimal.negative || decimal.mantissa <= std::uint64_t{1} << 63;
  }

  bool add_whole(const Decimal& decimal) {
    return decimal.negative ? builder_.number_integer(static_cast<std::int64_t>(-decimal.mantissa))
                            : builder_.number_unsigned(decimal.mantissa);
  }

  bool other_number(const char* first, const Decimal& decimal) {
    double found = 0;
    const auto [after, error] = std::from_chars(first, p_, found);
    if (error == std::errc()) return builder_.number_float(found, {});
    if (decimal.exponent >= 0) return fail();  // too large
    return builder_.number_float(decimal.negative ? -0.0 : 0.0, {});
  }

  // A string, into text_.
  bool text() {
    text_.clear();
    for (++p_;;) {
      const char* const from = p_;
      while (p_ != end_ && *p_ != '"' && *p_ != '\\' && static_cast<unsigned char>(*p_) >= ' ')
        ++p_;
      text_.append(from, p_);
      if (p_ == end_ || static_cast<unsigned char>(*p_) < ' ') return fail();
      if (*p_++ == '"') return true;
      if (!escaped()) return fail();
    }
  }

  bool escaped() {
    static constexpr char kShort[] = "\"\\/bfnrt", kMeant[] = "\"\\/\b\f\n\r\t";
    if (p_ == end_ || *p_ == '\0') return false;
    if (const char* const found = std::strchr(kShort, *p_)) {
      ++p_;
      text_ += kMeant[found - kShort];
      return true;
    }
    std::uint32_t code = 0, low = 0;
    if (!accept_word("u") || !four_digits(code) || (code >= 0xDC00 && code < 0xE000)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (!accept_word("\\u") || !four_digits(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(code);
    return true;
  }

  bool four_digits(std::uint32_t& code) {
    if (end_ - p_ < 4) return false;
    const auto [after, error] = std::from_chars(p_, p_ + 4, code, 16);
    if (error != std::errc() || after != p_ + 4) return false;
    p_ = after;
    return true;
  }

  void append_utf8(std::uint32_t code) {
    const auto last = [&](int shift) { text_ += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
      text_ += static_cast<char>(code);
      return;
    }
    if (code < 0x800) {
      text_ += static_cast<char>(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      text_ += static_cast<char>(0xE0 | code >> 12);
      last(6);
    } else {
      text_ += static_cast<char>(0xF0 | code >> 18);
      last(12);
      last(6);
    }
    last(0);
  }

  const char *begin_, *p_, *end_;
  DocumentBuilder& builder_;
  std::string text_;
};

}  // namespace

bool parse_json(const std::string& text, DocumentBuilder& builder) {
  return JsonText(text, builder).parse();
}

}  // namespace bkernn
