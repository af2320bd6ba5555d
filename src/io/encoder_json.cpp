#include "io/encoder_json.hpp"

#include "io/document_fields.hpp"

namespace bkernn {

void put_columns(Json& to, const Encoder& encoder) {
  to = Json::array();
  for (const EncodedColumn& column : encoder.columns) {
    Json& one = add_element(to) = Json::object();
    add_key(one, "kind") = column.category ? "category" : "number";
    if (column.category) {
      put_value(add_key(one, "levels"), column.levels);
      put_numbers(add_key(one, "shares"), column.shares.data(),
                  static_cast<Index>(column.shares.size()));
      add_key(one, "other") = number(column.other);
    } else {
      add_key(one, "mean") = number(column.mean);
    }
    add_key(one, "gaps") = number(column.gaps);
  }
}

namespace {

EncodedColumn column_of(const Reader& in) {
  EncodedColumn column;
  const std::string kind = in.text("kind");
  if (kind != "category" && kind != "number") in.fail("kind", "must be number or category");
  column.category = kind == "category";
  if (column.category) {
    column.levels = in.texts("levels");
    const Vector shares = in.vector("shares");
    column.shares.assign(shares.begin(), shares.end());
    column.other = in.real("other");
  } else {
    column.mean = in.real("mean");
  }
  column.gaps = in.real("gaps");
  return column;
}

}  // namespace

Encoder encoder_of(const Reader& in) {
  const Json& columns = in.at("columns");
  if (!columns.is_array() || columns.empty()) in.fail("columns", "must be an array of columns");
  Encoder encoder;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    encoder.columns.push_back(
        column_of({columns[a], in.path("columns") + "[" + std::to_string(a) + "]"}));
  }
  return encoder;
}

}  // namespace bkernn
