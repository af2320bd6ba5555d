#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/atomic_file.hpp"
#include "bkernn/io.hpp"
#include "bkernn/version.hpp"
#include "io/document.hpp"
#include "io/document_builder.hpp"
#include "io/json_text.hpp"

namespace bkernn {
namespace {

constexpr std::size_t kLongestRun = 1000;

// CBOR strings in parts can be nested, and the parser would recurse into them: not that deep.
bool has_long_run(const std::string& bytes, char byte) {
  std::size_t run = 0;
  for (const char one : bytes) {
    run = one == byte ? run + 1 : 0;
    if (run > kLongestRun) return true;
  }
  return false;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(path + ": cannot open: " + std::strerror(errno));
  std::error_code unknown;  // of what is no file
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  std::string bytes;
  if (!unknown) bytes.reserve(size);
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    bytes.append(buffer, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad() || !file.eof()) throw IoError(path + ": cannot read: " + std::strerror(errno));
  return bytes;
}

nlohmann::detail::input_format_t parser_format(Encoding encoding) {
  using Format = nlohmann::detail::input_format_t;
  return encoding == Encoding::ubjson ? Format::ubjson : Format::cbor;
}

}  // namespace

Encoding encoding_of(const std::string& path) {
  const std::size_t nul = path.find('\0');
  require(nul == std::string::npos, "path", "\"" + path.substr(0, nul) + "\" and a NUL byte",
          "no name of a file holds one");
  const std::size_t dot = path.find_last_of("./");
  std::string extension = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".json") return Encoding::json;
  if (extension == ".ubj") return Encoding::ubjson;
  if (extension == ".cbor") return Encoding::cbor;
  throw IoError(path + ": the name must end in .json, .ubj or .cbor" +
                (extension == ".c" || extension == ".onnx"
                     ? "; " + extension + " files are made by `bkernn convert` and not read"
                     : ""));
}

std::string encode(const Json& document, Encoding encoding, bool indent) {
  std::string bytes;
  if (encoding == Encoding::json) {
    bytes = document.dump(indent ? 2 : -1);
    bytes += '\n';
  } else if (encoding == Encoding::ubjson) {
    Json::to_ubjson(document, bytes, true, true);
  } else {
    Json::to_cbor(document, bytes);
  }
  return bytes;
}

Document decode(const std::string& bytes, Encoding encoding, const std::string& name) {
  if (bytes.empty()) throw IoError(name + ": is empty");
  if (encoding == Encoding::cbor && (has_long_run(bytes, '\x7f') || has_long_run(bytes, '\x5f'))) {
    throw IoError(name + ": is damaged");
  }
  DocumentBuilder builder(bytes.size());
  bool parsed = false;
  try {
    parsed = encoding == Encoding::json ? parse_json(bytes, builder)
                                        : Json::sax_parse(bytes, &builder, parser_format(encoding));
  } catch (const nlohmann::json::exception&) {
    throw IoError(name + ": is damaged");
  }
  if (!parsed)
    throw IoError(name + ": " + (builder.error().empty() ? "is damaged" : builder.error()));
  return builder.release();
}

void write_document(const Json& document, const std::string& path) {
  const std::string bytes = encode(document, encoding_of(path));
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

void remove_temporary_files() noexcept {
  AtomicFile::remove_temporaries();
}

Document read_document(const std::string& path) {
  const Encoding encoding = encoding_of(path);
  return decode(read_file(path), encoding, path);
}

void put_format(Json& to, const std::string& format, int major, int minor,
                const std::string& library_version) {
  to = Json::object();
  add_key(to, "format") = format;
  Json& version = add_key(to, "version") = Json::array();
  for (const int part : {major, minor}) add_element(version) = part;
  add_key(to, "library_version") = library_version.empty() ? bkernn::version() : library_version;
}

void check_format(const Json& document, const std::string& format, int major) {
  if (!document.is_object() || !document.contains("format") || document["format"] != format) {
    throw IoError("is not a " + format + " file");
  }
  const Json none;
  const Json& found = document.contains("version") ? document["version"] : none;
  if (!found.is_array() || found.size() != 2 || !found[0].is_number_integer() ||
      !found[1].is_number_integer()) {
    throw IoError("version: must be two whole numbers");
  }
  const auto theirs = found[0].get<std::int64_t>();
  if (theirs > major) {
    throw IoError("has version " + std::to_string(theirs) + "." +
                  std::to_string(found[1].get<std::int64_t>()) +
                  ", but this program reads versions up to " + std::to_string(major) +
                  ".x: it needs a newer bkernn");
  }
  if (theirs < 1) throw IoError("version: must be at least 1");
}

}  // namespace bkernn
