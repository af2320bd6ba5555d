#include "report/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace bkernn::report {
namespace {

// Characters, not bytes, of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// With control characters shown, but for those that are allowed.
std::string visible(const std::string& text, const std::string& allowed) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool second_set = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    const bool control = byte < 0x20 || byte == 0x7F || second_set;
    if (!control || allowed.find(text[i]) != std::string::npos) {
      shown += text[i];
      continue;
    }
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02X", second_set ? next : byte);
    shown += hex;
    if (second_set) ++i;
  }
  return shown;
}

}  // namespace

std::string printable(const std::string& text) {
  return visible(text, "\n\t");
}

std::string one_line(const std::string& name) {
  return visible(name, "");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string short_number(double value, int digits) {
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  return {text, result.ptr};
}

std::string duration(double seconds) {
  if (seconds < 10) return short_number(std::round(seconds * 10) / 10, 3) + " s";
  const auto whole = std::llround(seconds);
  if (whole < 100) return std::to_string(whole) + " s";
  if (whole < 6000) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string count_of(long long count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string space(widths[j] - width_of(row[j]), ' ');
      line += j == 0 ? row[j] + space : "  " + space + row[j];
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

std::string bar(double share, int width) {
  std::string text;
  const auto filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  for (int i = 0; i < filled; ++i) text += "█";
  return text + std::string(static_cast<std::size_t>(width - filled), ' ');
}

}  // namespace bkernn::report
