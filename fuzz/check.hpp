// What must hold whatever the input: a violation ends the program, which the fuzzer reports.
#pragma once

#include <cstdio>
#include <cstdlib>

#define BKERNN_FUZZ_CHECK(condition)                                                      \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)
