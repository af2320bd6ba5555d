// Text as JSON: another parser reads the same, and refuses the same.
#include "io/json_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <random>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// Both readings agree: the same values of the same types, or no value at all.
void expect_the_same(const std::string& text) {
  SCOPED_TRACE(text);
  const Json wanted = Json::parse(text, nullptr, false);
  if (wanted.is_discarded()) {
    EXPECT_THROW(decode(text, Encoding::json, "text"), IoError);
    return;
  }
  const Document found = decode(text, Encoding::json, "text");
  EXPECT_EQ(found.json.dump(), wanted.dump());
  EXPECT_EQ(found.json.type(), wanted.type());
  if (wanted.is_number_float()) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found.json.get<double>()),
              std::bit_cast<std::uint64_t>(wanted.get<double>()));
  }
}

TEST(JsonText, ReadsWhatAnotherParserReads) {
  for (const char* text : {"0",
                           "-0",
                           "-0.0",
                           "1",
                           "-1",
                           "12345678901234567890",
                           "-9223372036854775807",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "18446744073709551615",
                           "18446744073709551616",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "1.5E+3",
                           "0.1",
                           "5e-324",
                           "2.2250738585072014e-308",
                           "1.7976931348623157e308",
                           "9007199254740993",
                           "9007199254740993.0",
                           "0.30000000000000004",
                           "1e-400",
                           "-1e-400",
                           "123456789012345678901234567890e-10",
                           "0.000000000000000000000000000001234",
                           " [ 1 , 2.5 , [ ] , { } ] ",
                           "{\"a\": [1, {\"b\": null}], \"c\": true, \"d\": false}",
                           R"("a\"b\\c\/\b\f\n\r\t")",
                           R"("\u0041\u00e9\u20ac\ud83d\ude00")",
                           "\"gr\xC3\xB6\xC3\x9F"
                           "e\"",
                           "\xEF\xBB\xBF[1]"})
    expect_the_same(text);
}

TEST(JsonText, RefusesWhatAnotherParserRefuses) {
  for (const char* text :
       {"",           " ",         "01",          "-",           "+1",          ".5",
        "1.",         "1e",        "1e+",         "--1",         "1 2",         "[1,]",
        "[1 2]",      "[",         "]",           "{",           "{\"a\"}",     "{\"a\":}",
        "{\"a\":1,}", "{a:1}",     "{\"a\":1",    "nul",         "truee",       "NaN",
        "Infinity",   "1e400",     "-1e400",      "\"",          "\"a",         "\"\\",
        "\"\\x\"",    "\"\\u12\"", "\"\\u12g4\"", R"("\ud83d")", R"("\ude00")", R"("\ud83dx")",
        "\"a\nb\"",   "\"\xff\"",  "'a'",         "// x\n1"})
    expect_the_same(text);
  EXPECT_THROW(decode(std::string("[1]\0", 4), Encoding::json, "text"), IoError);
  EXPECT_THROW(decode(std::string("\"\\\0\"", 4), Encoding::json, "text"), IoError);
}

TEST(JsonText, NumbersAreTheNearestDoubles) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double any = std::bit_cast<double>(random());
    if (!std::isfinite(any)) continue;
    expect_the_same(Json(any).dump());
    const auto digits = static_cast<std::int64_t>(random() >> (random() % 60));
    expect_the_same(std::to_string(digits) + "." + std::to_string(random() >> (random() % 60)) +
                    "e" + std::to_string(static_cast<int>(random() % 60) - 40));
  }
}

TEST(JsonText, SaysWhereItStopped) {
  try {
    decode("[1, 2, x]", Encoding::json, "m.json");
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "m.json: is damaged: cannot be understood at byte 7");
  }
}

}  // namespace
}  // namespace bkernn
