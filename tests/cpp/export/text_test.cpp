// The bytes of what is exported: messages of ONNX, words of C.
#include <gtest/gtest.h>

#include "export/c_text.hpp"
#include "export/protobuf.hpp"

namespace bkernn {
namespace {

// Seven bits in each byte, the lowest first; all but the last have the eighth bit.
TEST(Protobuf, NumbersOfEveryLength) {
  const auto encoded = [](std::int64_t value) { return Message().integer(1, value).encoded(); };
  EXPECT_EQ(encoded(1), "\x08\x01");
  EXPECT_EQ(encoded(127), "\x08\x7F");
  EXPECT_EQ(encoded(128), "\x08\x80\x01");
  EXPECT_EQ(encoded(150), "\x08\x96\x01");
  EXPECT_EQ(encoded(1 << 14), "\x08\x80\x80\x01");
  EXPECT_EQ(encoded(-1), "\x08" + std::string(9, '\xFF') + '\x01');
  EXPECT_EQ(Message().bytes(2, "testing").encoded(), "\x12\x07testing");
}

TEST(CText, QuotesWhatCCannotHold) {
  EXPECT_EQ(quoted("a b ~"), "\"a b ~\"");
  EXPECT_EQ(quoted("\"\\?\n\x7F"), R"("\042\134\077\012\177")");
  EXPECT_EQ(quoted("é"), R"("\303\251")");
}

}  // namespace
}  // namespace bkernn
