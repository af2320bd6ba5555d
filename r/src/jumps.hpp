// R's errors and interrupts jump over C++, and C++ exceptions must not leave it: both are turned
// into one another here.
#pragma once

#define R_NO_REMAP
#include <Rinternals.h>

#include <csetjmp>
#include <type_traits>
#include <utility>

namespace bkernn::r {

// A jump of R on its way through C++.
struct Jump {
  SEXP token;
};

SEXP jump_token();

// Runs code that may jump; a jump becomes the exception Jump, so that destructors run.
template <class Code>
SEXP jumping(Code&& code) {
  std::jmp_buf here;
  const SEXP token = jump_token();
  if (setjmp(here) != 0) throw Jump{token};
  using Body = std::remove_reference_t<Code>;
  const auto run = [](void* data) -> SEXP { return (*static_cast<Body*>(data))(); };
  const auto leave = [](void* buffer, Rboolean jump) {
    if (jump == TRUE) std::longjmp(*static_cast<std::jmp_buf*>(buffer), 1);
  };
  const SEXP result = R_UnwindProtect(run, &code, leave, &here, token);
  SETCAR(token, R_NilValue);  // which keeps the result alive
  return result;
}

// How an exception ended a call: R makes a condition of it.
struct Failure {
  SEXP token = nullptr;  // of a jump
  char kind[32] = "";
  char message[8192] = "";
};

void describe_exception(Failure& failure);  // the one that is being handled
SEXP finish(const Failure& failure);        // goes on with the jump, or returns the failure

// The body of a function that R calls.
template <class Code>
SEXP guarded(Code&& code) {
  Failure failure;
  try {
    return std::forward<Code>(code)();
  } catch (...) {
    describe_exception(failure);
  }
  return finish(failure);
}

}  // namespace bkernn::r
