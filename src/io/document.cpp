#include "io/document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bkernn {
namespace {

void empty(Json& json) noexcept {
  if (auto* const array = json.get_ptr<Json::array_t*>()) {
    for (Json& one : *array) empty(one);
    array->clear();
  } else if (auto* const object = json.get_ptr<Json::object_t*>()) {
    for (auto& member : *object) empty(member.second);
    object->clear();
  }
}

// First all keys, which are copied; then the values, which change places.
void make_room(Json::object_t& object) {
  if (object.size() < object.capacity()) return;
  Json::object_t larger;
  larger.reserve(2 * object.size() + 1);
  for (const auto& member : object) larger.emplace_back(member.first, nullptr);
  for (std::size_t i = 0; i < object.size(); ++i)
    larger.data()[i].second.swap(object.data()[i].second);
  object.swap(larger);
}

}  // namespace

Document::~Document() {
  empty(json);
}

Json& add_key(Json& object, const std::string& key) {
  auto& members = object.get_ref<Json::object_t&>();
  make_room(members);
  return members.emplace_back(key, nullptr).second;
}

Json& add_element(Json& array) {
  return array.get_ref<Json::array_t&>().emplace_back();
}

void put_numbers(Json& to, const double* values, Index count) {
  to = Json::array();
  to.get_ref<Json::array_t&>().assign(values, values + count);
}

Json number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return nullptr;
  return value > 0 ? "inf" : "-inf";
}

Reader::Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) throw IoError(where_ + ": must be an object");
}

std::string Reader::path(const char* key) const {
  return where_.empty() ? key : where_ + "." + key;
}

void Reader::fail(const char* key, const std::string& message) const {
  throw IoError(path(key) + ": " + message);
}

const Json& Reader::at(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) fail(key, "is missing");
  return *found;
}

double Reader::real(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "must be a number");
  return value.get<double>();
}

double Reader::any_real(const char* key) const {
  const Json& value = at(key);
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  const std::string* const text = value.get_ptr<const std::string*>();
  if (text != nullptr && *text == "inf") return std::numeric_limits<double>::infinity();
  if (text != nullptr && *text == "-inf") return -std::numeric_limits<double>::infinity();
  return real(key);
}

std::int64_t Reader::integer(const char* key, std::int64_t least, std::int64_t most) const {
  const Json& value = at(key);
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : value.is_number_integer() && value.get<std::int64_t>() <= most;
  if (!fits || value.get<std::int64_t>() < least) {
    fail(key,
         "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<std::int64_t>();
}

std::uint64_t Reader::natural(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number_unsigned() &&
      !(value.is_number_integer() && value.get<std::int64_t>() >= 0)) {
    fail(key, "must be a whole number, 0 or more");
  }
  return value.get<std::uint64_t>();
}

bool Reader::boolean(const char* key) const {
  if (!at(key).is_boolean()) fail(key, "must be true or false");
  return at(key).get<bool>();
}

std::string Reader::text(const char* key) const {
  if (!at(key).is_string()) fail(key, "must be a string");
  return at(key).get<std::string>();
}

std::vector<std::string> Reader::texts(const char* key) const {
  const Json& array = at(key);
  if (!array.is_array() ||
      !std::all_of(array.begin(), array.end(), [](const Json& one) { return one.is_string(); })) {
    fail(key, "must be an array of strings");
  }
  return array.get<std::vector<std::string>>();
}

Vector Reader::vector(const char* key) const {
  return to_vector(at(key), path(key));
}

Vector to_vector(const Json& array, const std::string& where) {
  if (!array.is_array()) throw IoError(where + ": must be an array of numbers");
  Vector values(static_cast<Index>(array.size()));
  Index i = 0;
  for (const Json& one : array) {
    if (!one.is_number()) throw IoError(where + ": must be an array of numbers");
    values(i++) = one.get<double>();
  }
  if (!values.allFinite()) throw IoError(where + ": every number must be finite");
  return values;
}

void put_matrix(Json& to, const Matrix& matrix) {
  to = Json::object();
  add_key(to, "rows") = matrix.rows();
  add_key(to, "columns") = matrix.cols();
  put_numbers(add_key(to, "values"), matrix.data(), matrix.size());
}

Matrix matrix_from_json(const Json& object, const std::string& where) {
  const Reader reader(object, where);
  constexpr std::int64_t kMost = 1 << 30;  // so that rows × columns does not overflow
  const Index rows = reader.integer("rows", 0, kMost),
              columns = reader.integer("columns", 0, kMost);
  const Vector values = reader.vector("values");
  if (rows * columns != values.size()) reader.fail("values", "must be rows × columns numbers");
  return Eigen::Map<const Matrix>(values.data(), rows, columns);
}

}  // namespace bkernn
