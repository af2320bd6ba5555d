// What UTF-8 is, at the ends of all its ranges.
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace bkernn {
namespace {

TEST(Utf8, EndsOfAllRanges) {
  for (const std::string good :
       {"", "a~\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(good)) << good;
  const std::string longer[]{"\x80",         "\xC0\x80",         "\xC1\xBF",        "\xE0\x9F\xBF",
                             "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80"};
  const std::string broken[]{"\xC2",         "\xE1\x80",         "\xF1\x80\x80", "\xC2\x41",
                             "\xE1\x80\x61", "\xF5\x80\x80\x80", "\xFF"};
  for (const std::string& bad : longer) EXPECT_FALSE(is_utf8(bad)) << bad;
  for (const std::string& bad : broken) EXPECT_FALSE(is_utf8(bad)) << bad;
}

}  // namespace
}  // namespace bkernn
