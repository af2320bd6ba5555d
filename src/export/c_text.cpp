#include "export/c_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace bkernn {
namespace {

constexpr std::size_t kLineWidth = 100;

void put_list(std::string& to, const std::vector<std::string>& items) {
  std::size_t column = kLineWidth;
  for (const std::string& item : items) {
    if (column + item.size() + 2 > kLineWidth) {
      to += "\n   ";
      column = 3;
    }
    to += " " + item + ",";
    column += item.size() + 2;
  }
  to += "\n};\n";
}

}  // namespace

std::string literal(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string number(text.data(), end);
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return number;
}

std::string short_text(double value) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4)
          .ptr;
  return {text.data(), end};
}

std::string in_comment(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i], last = text.empty() ? ' ' : text.back();
    const auto follows = [&](const char* bytes) { return name.compare(i, 2, bytes) == 0; };
    if ((c == '/' && last == '*') || (c == '*' && last == '/')) text += ' ';
    if (follows("\xE2\x80") || follows("\xE2\x81") || follows("\xD8\x9C")) {
      text += '?';
      i += c == '\xE2' ? 2 : 1;
    } else {
      text += static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? '?' : c;
    }
  }
  return text;
}

void put_doubles(std::string& to, const std::string& name, const double* values, Index count) {
  std::vector<std::string> items(count);
  std::transform(values, values + count, items.begin(), literal);
  to += "static const double " + name + "[" + std::to_string(count) + "] = {";
  put_list(to, items);
}

void put_integers(std::string& to, const std::string& name, const std::vector<Index>& values) {
  std::vector<std::string> items(values.size());
  std::transform(values.begin(), values.end(), items.begin(),
                 [](Index value) { return std::to_string(value); });
  to += "static const long " + name + "[" + std::to_string(values.size()) + "] = {";
  put_list(to, items);
}

std::string quoted(const std::string& level) {
  std::string text = "\"";
  for (const char c : level) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7F && c != '"' && c != '\\' && c != '?') {
      text += c;
    } else {
      text += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
               static_cast<char>('0' + (byte & 7))};
    }
  }
  return text + "\"";
}

}  // namespace bkernn
