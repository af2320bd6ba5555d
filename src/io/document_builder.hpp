// A document while it is read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "io/document.hpp"

namespace bkernn {

// Builds the value while it is parsed, and stops the parser where a document of this size cannot go
// on: nested too deep, more values than bytes (UBJSON can announce any number of nulls in a few
// bytes), or text that is not UTF-8.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit DocumentBuilder(std::size_t bytes) : values_left_(bytes + 1) {}

  Document release() { return std::move(root_); }
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
    if (open_.back()->size() == kMostKeys) return stop("has too many keys in one object");
    if (open_.back()->contains(name)) return stop("has \"" + name + "\" twice in one object");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return misunderstood(position);
  }
  bool misunderstood(std::size_t position) {
    return stop("is damaged: cannot be understood at byte " + std::to_string(position));
  }

 private:
  static constexpr std::size_t kDeepest = 32;
  // Looking for a key in an object takes time in proportion to their number.
  static constexpr std::size_t kMostKeys = 1000;

  bool stop(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }

  template <class Value>
  Json* place(Value&& value) {
    Json* const parent = open_.empty() ? nullptr : open_.back();
    auto* const array = parent == nullptr ? nullptr : parent->get_ptr<Json::array_t*>();
    if (array != nullptr) return &array->emplace_back(std::forward<Value>(value));
    Json& here = parent == nullptr ? root_.json : add_key(*parent, key_);
    here = std::forward<Value>(value);
    return &here;
  }

  template <class Value>
  bool add(Value&& value) {
    if (values_left_-- == 0) return stop("is damaged: announces more values than it can hold");
    place(std::forward<Value>(value));
    return true;
  }

  bool open(Json value) {
    if (values_left_-- == 0) return stop("is damaged: announces more values than it can hold");
    if (open_.size() == kDeepest) return stop("is nested too deeply");
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

}  // namespace bkernn
