// Numbers and names as people read them.
#include "report/text.hpp"

#include <gtest/gtest.h>

namespace bkernn::report {
namespace {

TEST(ReportText, Durations) {
  EXPECT_EQ(duration(0.04), "0 s");
  EXPECT_EQ(duration(0.26), "0.3 s");
  EXPECT_EQ(duration(9.94), "9.9 s");
  EXPECT_EQ(duration(10), "10 s");
  EXPECT_EQ(duration(99.4), "99 s");
  EXPECT_EQ(duration(99.6), "1 min 40 s");
  EXPECT_EQ(duration(5999), "99 min 59 s");
  EXPECT_EQ(duration(6000), "1 h 40 min");
  EXPECT_EQ(duration(36'060), "10 h 1 min");
}

TEST(ReportText, Numbers) {
  EXPECT_EQ(short_number(1234567), "1.235e+06");
  EXPECT_EQ(short_number(0.5), "0.5");
  EXPECT_EQ(short_number(2.0 / 3, 2), "0.67");
  EXPECT_EQ(count_of(0, "row"), "0 rows");
  EXPECT_EQ(count_of(1, "row"), "1 row");
  EXPECT_EQ(count_of(2, "row"), "2 rows");
}

TEST(ReportText, Names) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(printable("größe\n\t\x1b[2J\x7f"), "größe\n\t\\x1B[2J\\x7F");
  EXPECT_EQ(one_line("a\nb\t~ "), "a\\x0Ab\\x09~ ");
  EXPECT_EQ(one_line("\xC2\x80\xC2\x9F\xC2\xA0"), "\\x80\\x9F\xC2\xA0");  // controls of UTF-8
  EXPECT_EQ(one_line("\xC2"), "\xC2");
}

TEST(ReportText, Tables) {
  EXPECT_EQ(aligned({{"größe", "1"}, {"a", "10", "x"}, {"", ""}}),
            "  größe   1\n"
            "  a      10  x\n"
            "\n");
  EXPECT_EQ(bar(0.5, 4), "██  ");
  EXPECT_EQ(bar(2, 2), "██");
  EXPECT_EQ(bar(-1, 2), "  ");
}

}  // namespace
}  // namespace bkernn::report
