#include "io/document_tree.hpp"

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

}  // namespace bkernn
