#include "tables/csv/csv_cell.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace bkernn::tables {
namespace {

bool is_blank(char c, char separator) {
  return (c == ' ' || c == '\t') && c != separator;
}

bool ends_cell(const char* p, const char* end, char separator) {
  return p == end || *p == separator || *p == '\n' ||
         (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

const char* skip_carriage_return(const char* p, const char* end) {
  return p != end && *p == '\r' ? p + 1 : p;
}

Cell read_quoted(const char* p, const char* end, char separator, std::string& storage) {
  Cell cell;
  cell.quoted = true;
  storage.clear();
  for (;;) {
    const char* quote = std::find(p, end, '"');
    storage.append(p, quote);
    if (quote == end) {
      cell.fault = CellFault::kQuoteNotClosed;
      cell.end = end;
      return cell;
    }
    p = quote + 1;
    if (p == end || *p != '"') break;
    storage += '"';
    ++p;
  }
  cell.text = storage;
  while (p != end && is_blank(*p, separator)) ++p;
  if (!ends_cell(p, end, separator)) cell.fault = CellFault::kTextAfterQuote;
  cell.end = skip_carriage_return(p, end);
  return cell;
}

bool equal_ignoring_case(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == y;
  });
}

bool is_missing(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kMarkers = {"", "na", "nan", "null", "?", "n/a"};
  return std::any_of(kMarkers.begin(), kMarkers.end(),
                     [&](std::string_view marker) { return equal_ignoring_case(text, marker); });
}

// from_chars does not say on which side a number left the range of double.
double out_of_range(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double value = 0;
  stream >> value;
  return std::abs(value) > 1 ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

Cell read_cell(const char* begin, const char* end, char separator, std::string& storage) {
  const char* p = begin;
  while (p != end && is_blank(*p, separator)) ++p;
  if (p != end && *p == '"') return read_quoted(p + 1, end, separator, storage);
  const char* start = p;
  while (!ends_cell(p, end, separator) && *p != '"') ++p;
  Cell cell;
  if (p != end && *p == '"') cell.fault = CellFault::kQuoteInside;
  cell.end = skip_carriage_return(p, end);
  while (p != start && is_blank(p[-1], separator)) --p;
  cell.text = std::string_view(start, static_cast<std::size_t>(p - start));
  return cell;
}

const char* describe(CellFault fault) {
  switch (fault) {
    case CellFault::kQuoteInside:
      return "a quote (\") within a cell: put the whole cell in quotes and double those inside";
    case CellFault::kTextAfterQuote:
      return "text after the closing quote of a cell";
    case CellFault::kQuoteNotClosed:
      return "a quote (\") is opened and never closed";
    case CellFault::kNone:
      break;
  }
  return "";
}

CellKind classify(std::string_view text, double& value) {
  if (is_missing(text)) return CellKind::kMissing;
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::invalid_argument || result.ptr != digits.data() + digits.size()) {
    return CellKind::kWord;
  }
  if (result.ec == std::errc::result_out_of_range) value = out_of_range(text);
  if (std::isnan(value)) return CellKind::kMissing;
  return std::isfinite(value) ? CellKind::kNumber : CellKind::kInfinite;
}

std::string quote_if_needed(const std::string& text) {
  double ignored = 0;
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string::npos &&
                     !text.starts_with(' ') && !text.ends_with(' ') &&
                     classify(text, ignored) != CellKind::kMissing;
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace bkernn::tables
