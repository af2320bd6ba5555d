#include "values.hpp"

#include <algorithm>
#include <cstring>

namespace bkernn::r {
namespace {

SEXP vector_of(SEXPTYPE type, Index size) {
  return jumping([&] { return Rf_allocVector(type, size); });
}

SEXP doubles(const double* values, Index size) {
  const SEXP made = vector_of(REALSXP, size);
  std::copy_n(values, size, REAL(made));
  return made;
}

}  // namespace

SEXP to_r(double value) {
  return doubles(&value, 1);
}

SEXP to_r(int value) {
  return jumping([&] { return Rf_ScalarInteger(value); });
}

SEXP to_r(bool value) {
  return Rf_ScalarLogical(value ? 1 : 0);
}

SEXP to_r(Index value) {
  return to_r(static_cast<double>(value));
}

SEXP to_r(const std::string& text) {
  return to_r(std::vector<std::string>{text});
}

SEXP to_r(const std::vector<std::string>& texts) {
  return jumping([&] {
    const SEXP made = PROTECT(Rf_allocVector(STRSXP, static_cast<R_xlen_t>(texts.size())));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      SET_STRING_ELT(made, static_cast<R_xlen_t>(i),
                     Rf_mkCharLenCE(texts[i].data(), static_cast<int>(texts[i].size()), CE_UTF8));
    }
    UNPROTECT(1);
    return made;
  });
}

SEXP to_r(const std::vector<int>& values) {
  const SEXP made = vector_of(INTSXP, static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), INTEGER(made));
  return made;
}

SEXP to_r(const std::vector<double>& values) {
  return doubles(values.data(), static_cast<Index>(values.size()));
}

SEXP to_r(const Vector& values) {
  return doubles(values.data(), values.size());
}

SEXP to_r(const Matrix& values) {
  const SEXP made = jumping([&] {
    return Rf_allocMatrix(REALSXP, static_cast<int>(values.rows()),
                          static_cast<int>(values.cols()));
  });
  std::copy_n(values.data(), values.size(), REAL(made));
  return made;
}

List::List(R_xlen_t size) : list_(vector_of(VECSXP, size)) {
  PROTECT(list_);
  names_ = jumping([&] {
    const SEXP names = PROTECT(Rf_allocVector(STRSXP, size));
    Rf_setAttrib(list_, R_NamesSymbol, names);
    UNPROTECT(1);
    return Rf_getAttrib(list_, R_NamesSymbol);
  });
}

List::~List() {
  UNPROTECT(1);
}

void List::add(const char* name, SEXP value) {
  SET_VECTOR_ELT(list_, used_, value);
  SET_STRING_ELT(names_, used_, jumping([&] { return Rf_mkChar(name); }));
  ++used_;
}

SEXP member(SEXP list, const char* name) {
  const SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  }
  return R_NilValue;
}

bool is_null(SEXP value) {
  return Rf_isNull(value) == TRUE;
}

double number(SEXP value) {
  return Rf_asReal(value);
}

std::string text(SEXP value) {
  return texts(value).at(0);
}

std::vector<std::string> texts(SEXP value) {
  std::vector<std::string> found;
  for (R_xlen_t i = 0; i < Rf_xlength(value); ++i) {
    const char* letters = nullptr;
    jumping([&] {
      letters = Rf_translateCharUTF8(STRING_ELT(value, i));
      return R_NilValue;
    });
    found.emplace_back(letters);
  }
  return found;
}

std::vector<double> numbers(SEXP value) {
  if (is_null(value)) return {};
  const Eigen::Map<const Matrix> all = matrix(value);
  return {all.data(), all.data() + all.size()};
}

// REAL() would copy a vector that R shares: somebody might write through it.
Eigen::Map<const Matrix> matrix(SEXP value) {
  const double* data = nullptr;
  jumping([&] {
    data = REAL_RO(value);
    return R_NilValue;
  });
  const bool plane = Rf_isMatrix(value) == TRUE;
  return {data, plane ? Rf_nrows(value) : Rf_xlength(value), plane ? Rf_ncols(value) : 1};
}

}  // namespace bkernn::r
