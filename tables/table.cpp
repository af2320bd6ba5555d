#include "tables/table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

const std::string* close_match(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string* best = nullptr;
  std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(lower_case(name), lower_case(wanted));
    if (distance < limit && distance < wanted.size()) {
      best = &name;
      limit = distance;
    }
  }
  return best;
}

namespace {

constexpr std::size_t kNamesToList = 10;

std::string describe_missing(const std::vector<std::string>& names,
                             const std::vector<std::string>& missing) {
  std::string text = missing.size() == 1 ? "no column" : "no columns";
  for (std::size_t i = 0; i < std::min(missing.size(), kNamesToList); ++i) {
    text += (i > 0 ? ", \"" : " \"") + missing[i] + "\"";
    const std::string* close = close_match(names, missing[i]);
    if (close != nullptr) text += " (did you mean \"" + *close + "\"?)";
  }
  if (missing.size() > kNamesToList) {
    text += " and " + std::to_string(missing.size() - kNamesToList) + " more";
  }
  return text;
}

}  // namespace

bool Table::holds_words(Index column) const {
  return labels.contains(column) && values.col(column).hasNaN();
}

std::vector<std::string> numbered_names(const std::string& word, Index count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index i = 1; i <= count; ++i) names.push_back(word + std::to_string(i));
  return names;
}

void append_shortest(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string shortest_text(double value) {
  std::string text;
  append_shortest(text, value);
  return text;
}

std::vector<Index> match_columns(const std::string& file, const std::vector<std::string>& names,
                                 bool has_header, const std::vector<std::string>& wanted) {
  std::vector<Index> columns(wanted.size());
  if (!has_header) {
    if (names.size() != wanted.size()) {
      throw IoError(file + ": has no header, so columns are matched by position: expected " +
                    std::to_string(wanted.size()) + " columns, found " +
                    std::to_string(names.size()));
    }
    std::iota(columns.begin(), columns.end(), Index{0});
    return columns;
  }
  std::unordered_map<std::string, Index> position;
  for (std::size_t i = 0; i < names.size(); ++i) position.emplace(names[i], i);
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = position.find(wanted[i]);
    if (found == position.end()) {
      missing.push_back(wanted[i]);
    } else {
      columns[i] = found->second;
    }
  }
  if (!missing.empty()) throw IoError(file + ": " + describe_missing(names, missing));
  return columns;
}

}  // namespace bkernn::tables
