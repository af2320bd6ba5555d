#include <bit>
#include <cmath>

#include "base/hash.hpp"
#include "io/document.hpp"

namespace bkernn {
namespace {

constexpr const char* kKey = "checksum";
constexpr double kExact = 9007199254740992;  // 2^53

enum Kind : std::uint64_t { kNull = 1, kBoolean, kInteger, kReal, kText, kArray, kObject };

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = mix(kText, text.size());
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = i; k < std::min(i + 8, text.size()); ++k) {
      word = word << 8 | static_cast<unsigned char>(text[k]);
    }
    hash = mix(hash, word);
  }
  return hash;
}

// 1 and 1.0 are the same number: other programs that copy a document may write either.
std::uint64_t hash_of(double value) {
  const auto nearest = static_cast<std::int64_t>(std::abs(value) <= kExact ? value : 0);
  const bool whole = value == static_cast<double>(nearest) && !(value == 0 && std::signbit(value));
  return whole ? mix(kInteger, static_cast<std::uint64_t>(nearest))
               : mix(kReal, std::bit_cast<std::uint64_t>(value));
}

std::uint64_t hash_of(const Json& value);

// Whatever the order of the keys.
std::uint64_t hash_of_object(const Json& object, const std::string& without = "") {
  std::uint64_t sum = 0;
  for (const auto& item : object.items()) {
    if (item.key() != without) sum += mix(hash_of(item.key()), hash_of(item.value()));
  }
  return mix(kObject, sum);
}

std::uint64_t hash_of(const Json& value) {
  if (value.is_null()) return kNull;
  if (value.is_boolean()) return mix(kBoolean, value.get<bool>() ? 1 : 0);
  if (value.is_number_float()) return hash_of(value.get<double>());
  if (value.is_number()) return mix(kInteger, value.get<std::uint64_t>());
  if (value.is_string()) return hash_of(value.get_ref<const std::string&>());
  if (value.is_object()) return hash_of_object(value);
  std::uint64_t hash = mix(kArray, value.size());
  for (const Json& one : value) hash = mix(hash, hash_of(one));
  return hash;
}

std::string checksum(const Json& document) {
  return to_hex(hash_of_object(document, kKey));
}

}  // namespace

void seal(Json& document) {
  const std::string sum = checksum(document);
  (document.contains(kKey) ? document[kKey] : add_key(document, kKey)) = sum;
}

void check_seal(const Json& document) {
  if (!document.contains(kKey)) {
    if (document.at("version").at(1).get<std::int64_t>() < 1) return;
    throw IoError("checksum: is missing: the file is damaged or was edited");
  }
  if (document[kKey] != checksum(document)) {
    throw IoError("checksum: does not belong to the contents: the file is damaged or was edited");
  }
}

}  // namespace bkernn
