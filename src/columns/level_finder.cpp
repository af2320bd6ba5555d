#include "columns/level_finder.hpp"

#include <cctype>
#include <charconv>

namespace bkernn {

std::string plain_level(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && after == end) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  }
  if (text.size() > 5) return text;
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower == "true" || lower == "false" ? lower : text;
}

LevelFinder::LevelFinder(const std::vector<std::string>& levels) {
  for (std::size_t k = 0; k < levels.size(); ++k) {
    exact_.emplace(levels[k], static_cast<Index>(k));
    plain_.emplace(plain_level(levels[k]), static_cast<Index>(k));
  }
}

Index LevelFinder::find(const std::string& name) const {
  auto found = exact_.find(name);
  if (found != exact_.end()) return found->second;
  found = plain_.find(plain_level(name));
  return found != plain_.end() ? found->second : -1;
}

}  // namespace bkernn
