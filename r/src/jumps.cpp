#include "jumps.hpp"

#include <cstring>
#include <new>

#include "bkernn/error.hpp"

namespace bkernn::r {
namespace {

void tell(Failure& failure, const char* kind, const char* message) {
  std::strncpy(failure.kind, kind, sizeof failure.kind - 1);
  std::strncpy(failure.message, message, sizeof failure.message - 1);
}

}  // namespace

SEXP jump_token() {
  static const SEXP token = [] {
    const SEXP made = R_MakeUnwindCont();
    R_PreserveObject(made);
    return made;
  }();
  return token;
}

void describe_exception(Failure& failure) {
  try {
    throw;
  } catch (const Jump& jump) {
    failure.token = jump.token;
  } catch (const InvalidArgument& error) {
    tell(failure, "invalid_argument", error.what());
  } catch (const IoError& error) {
    tell(failure, "io_error", error.what());
  } catch (const NumericalError& error) {
    tell(failure, "numerical_error", error.what());
  } catch (const std::bad_alloc&) {
    tell(failure, "out_of_memory", "there is not enough memory");
  } catch (const std::exception& error) {
    tell(failure, "failure", error.what());
  }
}

SEXP finish(const Failure& failure) {
  if (failure.token != nullptr) R_ContinueUnwind(failure.token);
  const SEXP told = PROTECT(Rf_allocVector(STRSXP, 2));
  SET_STRING_ELT(told, 0, Rf_mkCharCE(failure.kind, CE_UTF8));
  SET_STRING_ELT(told, 1, Rf_mkCharCE(failure.message, CE_UTF8));
  const SEXP name = PROTECT(Rf_mkString("bkernn_failure"));
  Rf_setAttrib(told, R_ClassSymbol, name);
  UNPROTECT(2);
  return told;
}

}  // namespace bkernn::r
