// R's values and ours. What is returned to R is not protected: store it at once.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "bkernn/types.hpp"
#include "jumps.hpp"

namespace bkernn::r {

SEXP to_r(double value);
SEXP to_r(int value);
SEXP to_r(bool value);
SEXP to_r(Index value);  // as a number: R's integers are short
SEXP to_r(const std::string& text);
SEXP to_r(const std::vector<std::string>& texts);
SEXP to_r(const std::vector<int>& values);
SEXP to_r(const std::vector<double>& values);
SEXP to_r(const Vector& values);
SEXP to_r(const Matrix& values);

// A list with names, filled from the front; as many values as it was made for.
class List {
 public:
  explicit List(R_xlen_t size);
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List();

  void add(const char* name, SEXP value);
  template <class Value>
  requires(!std::is_same_v<Value, SEXP>) void add(const char* name, const Value& value) {
    add(name, to_r(value));
  }
  SEXP get() const { return list_; }

 private:
  SEXP list_, names_;
  R_xlen_t used_ = 0;
};

// The member of a list, or NULL.
SEXP member(SEXP list, const char* name);

bool is_null(SEXP value);
double number(SEXP value);
std::string text(SEXP value);
std::vector<std::string> texts(SEXP value);   // none for NULL
std::vector<double> numbers(SEXP value);      // none for NULL
Eigen::Map<const Matrix> matrix(SEXP value);  // of doubles, not copied; a vector is one column

}  // namespace bkernn::r
