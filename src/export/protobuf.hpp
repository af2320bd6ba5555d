// Protocol buffers, as far as ONNX needs them: a message is a sequence of fields, each a number
// with a kind and then a varint or bytes with their length. Eight kinds of messages are written and
// none is read, so this stands in for the library and its code generator.
#pragma once

#include <cstdint>
#include <string>

namespace bkernn {

class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }

  Message& bytes(int field, const std::string& value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }

  Message& message(int field, const Message& value) { return bytes(field, value.bytes_); }

  // The fields of another message of the same kind.
  Message& append(const Message& more) {
    bytes_ += more.bytes_;
    return *this;
  }

  const std::string& encoded() const { return bytes_; }

 private:
  void key(int field, int kind) { varint(static_cast<std::uint64_t>(field << 3 | kind)); }

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace bkernn
