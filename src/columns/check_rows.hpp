// Checks of rows of a table, whose messages name the column.
#pragma once

#include <string>
#include <vector>

#include "bkernn/columns.hpp"
#include "bkernn/error.hpp"

namespace bkernn {

// `column "age"`, or its number from 1 on.
std::string column_name(Index column, const std::vector<std::string>& names);

template <class Value>
void require_column(bool holds, Index column, const std::vector<std::string>& names,
                    const Value& value, const std::string& constraint) {
  if (!holds) require(false, column_name(column, names).c_str(), value, constraint);
}

// No more than a column may have.
void check_level_count(std::size_t count, Index column, const std::vector<std::string>& names);

// The rows must have as many columns as `expected`, and each category must be one of them.
void check_rows(const MixedRows& rows, Index expected, const std::vector<std::string>& names);

}  // namespace bkernn
