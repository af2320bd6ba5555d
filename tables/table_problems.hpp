// What is wrong with the rows of a file, collected in file order.
//
// Rows are parsed by several threads and in blocks, but the report must not depend on that: it is
// about the first bad row. A wrong row (ragged, a word among numbers) ends the search. Missing
// values do not: it is more useful to know how many there are, so the readers go on counting until
// the end of the file, or the first wrong row, before they give up.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/types.hpp"

namespace bkernn::tables {

// For messages: the file, what its rows are called and how its columns are.
struct FileDescription {
  std::string file;
  std::string row_word;            // "line" (of text), "row" (of an array)
  std::vector<std::string> names;  // empty: the columns have no names

  std::string place(Index row, Index column) const;  // line 7, column 3 ("age")
};

// Gaps where there may be none: in the target, or in the weights.
class MissingValues : public IoError {
 public:
  MissingValues(const std::string& message, std::string first_column)
      : IoError(message), column(std::move(first_column)) {}

  std::string column;  // that of the first gap; empty: it has no name
};

class Problems {
 public:
  static constexpr Index kWholeRow = -1;

  bool none() const { return missing_ == 0 && !failure_; }
  bool failed() const { return failure_.has_value(); }

  void missing(Index row, Index column);
  void fail(Index row, Index column, std::string message);  // column: may be kWholeRow

  // Adds what was found in later rows, whose numbers count from `first_row`.
  void append(const Problems& later, Index first_row);

  // Throws IoError about the first bad row, MissingValues if it only lacks values.
  [[noreturn]] void report(const FileDescription& description) const;

 private:
  struct Place {
    Index row, column;
  };
  struct Failure {
    Place place;
    std::string message;
  };

  Index missing_ = 0;
  std::vector<Place> first_missing_;
  std::optional<Failure> failure_;
};

}  // namespace bkernn::tables
