// Documents: JSON values in files, as text (.json) or binary (.ubj, .cbor), read without trust and
// written atomically.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

using Json = nlohmann::ordered_json;

// A document that can be built and destroyed when memory runs out.
//
// The destructor of a JSON value takes memory: it moves all children to one list, so that deep
// nesting cannot overflow the stack. And an object that grows copies its values. Either one, where
// there is no memory left, ends the process instead of throwing std::bad_alloc.
//
// So every document has one owner, a Document, which empties it from the leaves up before it is
// destroyed; and it is built in place, value by value, never from parts that own values
// themselves:
//
//   Document document;
//   Json& object = document.json = Json::object();
//   add_key(object, "name") = "text";
//   put_numbers(add_key(object, "numbers"), values.data(), values.size());
//
// The nesting of what we write and accept is bounded, so recursion is.
struct Document {
  Document() noexcept(false) = default;
  Document(Document&& other) noexcept : json(std::move(other.json)) {}
  Document& operator=(Document&& other) = delete;
  ~Document();

  Json json;
};

// A new member, null at first. The key must not exist yet.
Json& add_key(Json& object, const std::string& key);

// A new last element, null at first.
Json& add_element(Json& array);

// An array of these numbers.
void put_numbers(Json& to, const double* values, Index count);

// ---- Files.

enum class Encoding { json, ubjson, cbor };

// By the extension of the name; an unknown one is an IoError. Every path passes here before it is
// used: one with a NUL byte, at which the system would stop reading it, is an InvalidArgument.
Encoding encoding_of(const std::string& path);

std::string encode(const Json& document, Encoding encoding, bool indent = false);

// Throws IoError, starting with `name`, for anything that is not a well-formed document of bounded
// depth.
Document decode(const std::string& bytes, Encoding encoding, const std::string& name);

void write_document(const Json& document, const std::string& path);
Document read_document(const std::string& path);

// Makes it an object that says what kind of document it is, of which version, and which library
// wrote it (empty: this one).
void put_format(Json& to, const std::string& format, int major, int minor,
                const std::string& library_version);

// Is it the kind of document that is wanted, in a version that can be read? Throws IoError
// otherwise.
void check_format(const Json& document, const std::string& format, int major);

// Documents carry a checksum of their contents, the same in every encoding, order of keys and
// spelling of numbers: seal() adds it, and check_seal() throws IoError where the contents are
// others. Version x.0 had none; one that is edited by hand may go without it by calling itself x.0.
void seal(Json& document);
void check_seal(const Json& document);

// ---- Values. Readers throw IoError, naming the key.

// Finite numbers as they are; null for NaN and "inf", "-inf" for the infinities, which JSON has
// not.
Json number(double value);

// Access to an object: at() is an existing member.
class Reader {
 public:
  Reader(const Json& object, std::string where);

  bool has(const char* key) const { return object_.contains(key) && !object_[key].is_null(); }
  const Json& at(const char* key) const;
  Reader object(const char* key) const { return {at(key), path(key)}; }

  double real(const char* key) const;      // finite
  double any_real(const char* key) const;  // see number()
  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;
  std::uint64_t natural(const char* key) const;
  bool boolean(const char* key) const;
  std::string text(const char* key) const;
  std::vector<std::string> texts(const char* key) const;
  Vector vector(const char* key) const;  // finite

  std::string path(const char* key) const;
  [[noreturn]] void fail(const char* key, const std::string& message) const;

 private:
  const Json& object_;
  std::string where_;
};

// An array of finite numbers.
Vector to_vector(const Json& array, const std::string& where);

// {"rows": r, "columns": c, "values": [column by column]}.
void put_matrix(Json& to, const Matrix& matrix);
Matrix matrix_from_json(const Json& object, const std::string& where);

}  // namespace bkernn
