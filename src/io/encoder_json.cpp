#include "io/encoder_json.hpp"

#include "io/document_fields.hpp"

namespace bkernn {

namespace {

void put_curves(Json& to, const std::vector<Curve>& curves) {
  to = Json::array();
  for (const Curve& curve : curves) {
    Json& one = add_element(to) = Json::object();
    add_key(one, "ranks") = curve.ranks;
    if (!curve.bends()) continue;
    put_value(add_key(one, "x"), curve.x);
    put_value(add_key(one, "values"), curve.values);
  }
}

}  // namespace

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
      if (!column.curves.empty()) put_curves(add_key(one, "curves"), column.curves);
    }
    add_key(one, "gaps") = number(column.gaps);
  }
}

namespace {

std::vector<double> numbers_of(const Reader& in, const char* key) {
  const Vector values = in.vector(key);
  return {values.begin(), values.end()};
}

std::vector<Curve> curves_of(const Reader& in) {
  const Json& list = in.at("curves");
  if (!list.is_array() || list.empty()) in.fail("curves", "must be an array of curves");
  std::vector<Curve> curves;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Reader one{list[k], in.path("curves") + "[" + std::to_string(k) + "]"};
    Curve& curve = curves.emplace_back();
    curve.ranks = one.text("ranks");
    if (!one.has("x")) continue;
    curve.x = numbers_of(one, "x");
    curve.values = numbers_of(one, "values");
  }
  return curves;
}

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
    if (in.has("curves")) column.curves = curves_of(in);
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
