#include "io/columns_json.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "io/document_fields.hpp"

namespace bkernn {
namespace {

// The largest power of two that all these numbers are multiples of, if it makes them whole numbers
// of 32 bits; else 0.
double unit_of(const Matrix& numbers) {
  constexpr double kMostWhole = 2147483647;
  int exponent = std::numeric_limits<int>::max();
  for (const double value : numbers.reshaped()) {
    if (value == 0) continue;
    int own = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &own), 53));
    exponent = std::min(exponent, own - 53 + std::countr_zero(static_cast<std::uint64_t>(digits)));
  }
  if (exponent == std::numeric_limits<int>::max()) return 1;
  const double unit = std::ldexp(1.0, exponent);
  return unit > 0 && numbers.cwiseAbs().maxCoeff() / unit <= kMostWhole ? unit : 0;
}

}  // namespace

void put_columns_of(Json& to, const Matrix& numbers) {
  const double unit = unit_of(numbers);
  to = Json::object();
  if (unit > 0) add_key(to, "unit") = unit;
  Json& columns = add_key(to, "values") = Json::array();
  for (const auto column : numbers.colwise()) {
    Json& one = add_element(columns);
    if (unit > 0) {
      const Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1> whole =
          (column / unit).template cast<std::int64_t>();
      one = Json::array();
      one.get_ref<Json::array_t&>().assign(whole.begin(), whole.end());
    } else {
      const Vector values = column;
      put_numbers(one, values.data(), values.size());
    }
  }
}

Matrix columns_of(const Reader& in, const char* key, Index rows) {
  const Reader inside = in.object(key);
  const double unit = inside.has("unit") ? inside.real("unit") : 1.0;
  if (!(unit > 0)) inside.fail("unit", "must be positive");
  const Json& columns = inside.at("values");
  if (!columns.is_array() || columns.empty() || !columns[0].is_array())
    inside.fail("values", "must be an array of columns");
  if (rows == 0) rows = static_cast<Index>(columns[0].size());
  for (const Json& one : columns) {
    if (static_cast<Index>(one.size()) != rows || rows == 0)
      inside.fail("values", "every column must have one number per row");
  }
  Matrix numbers(rows, static_cast<Index>(columns.size()));
  for (Index k = 0; k < numbers.cols(); ++k)
    numbers.col(k) = unit * to_vector(columns[k], inside.path("values"));
  return numbers;
}

}  // namespace bkernn
