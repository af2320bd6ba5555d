// Documents that can be built and destroyed when memory runs out.
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
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bkernn/types.hpp"

namespace bkernn {

using Json = nlohmann::ordered_json;

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

}  // namespace bkernn
