#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/atomic_file.hpp"
#include "base/utf8.hpp"
#include "bkernn/io.hpp"
#include "bkernn/version.hpp"
#include "io/document.hpp"

namespace bkernn {
namespace {

constexpr std::size_t kDepth = 32;
constexpr std::size_t kKeys =
    1000;  // looking for a key in an object takes time in proportion to their number
constexpr std::size_t kLongestRun = 1000;

// Builds the value while it is parsed, and stops the parser where a document of this size cannot go
// on: nested too deep, more values than bytes (UBJSON can announce any number of nulls in a few
// bytes), or text that is not UTF-8.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t bytes) : values_left_(bytes + 1) {}

  Document take() { return std::move(root_); }
  const std::string& error() const { return error_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override {
    return is_utf8(value) ? add(std::move(value)) : stop("holds text that is not UTF-8");
  }
  bool binary(binary_t&) override {
    return stop("holds binary strings, which no such document has");
  }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!is_utf8(name)) return stop("holds text that is not UTF-8");
    if (open_.back()->size() == kKeys) return stop("has too many keys in one object");
    if (open_.back()->contains(name)) return stop("has \"" + name + "\" twice in one object");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return stop("is damaged: cannot be understood at byte " + std::to_string(position));
  }

 private:
  bool stop(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }

  Json* place(Json value) {
    const auto child_of = [this](Json& parent) -> Json& {
      return parent.is_array() ? add_element(parent) : add_key(parent, key_);
    };
    Json& here = open_.empty() ? root_.json : child_of(*open_.back());
    here = std::move(value);
    return &here;
  }

  bool add(Json value) {
    if (values_left_-- == 0) return stop("is damaged: announces more values than it can hold");
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (values_left_-- == 0) return stop("is damaged: announces more values than it can hold");
    if (open_.size() == kDepth) return stop("is nested too deeply");
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Document root_;
  std::vector<Json*> open_;
  std::string key_;
  std::string error_;
  std::size_t values_left_;
};

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
  std::string bytes;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    bytes.append(buffer, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad() || !file.eof()) throw IoError(path + ": cannot read: " + std::strerror(errno));
  return bytes;
}

nlohmann::detail::input_format_t parser_format(Encoding encoding) {
  using Format = nlohmann::detail::input_format_t;
  if (encoding == Encoding::ubjson) return Format::ubjson;
  return encoding == Encoding::cbor ? Format::cbor : Format::json;
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
  Builder builder(bytes.size());
  bool parsed = false;
  try {
    parsed = Json::sax_parse(bytes, &builder, parser_format(encoding));
  } catch (const nlohmann::json::exception&) {
    throw IoError(name + ": is damaged");
  }
  if (!parsed)
    throw IoError(name + ": " + (builder.error().empty() ? "is damaged" : builder.error()));
  return builder.take();
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
