// A 64-bit hash of words, and its hexadecimal form (not every JSON reader keeps integers beyond
// 2^53 exact). It detects accidents, not forgeries.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace bkernn {

// Mixes one more word into the hash (the finalizer of splitmix64).
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) + 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

inline std::string to_hex(std::uint64_t hash) {
  std::string digits(16, '0');
  char found[16];
  const char* const end = std::to_chars(found, found + 16, hash, 16).ptr;
  std::copy<const char*>(found, end, digits.end() - (end - found));
  return digits;
}

inline bool from_hex(const std::string& text, std::uint64_t& hash) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, hash, 16);
  return text.size() == 16 && error == std::errc() && end == last;
}

}  // namespace bkernn
