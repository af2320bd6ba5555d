#include "bkernn/version.hpp"
#include "loops/instruction_sets.hpp"

namespace bkernn {
namespace {

// What the functions that are compiled twice run on.
const char* instruction_set() {
#if defined(__x86_64__) && !defined(BKERNN_NO_CLONES)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                 __builtin_cpu_supports("bmi2")
             ? "x86-64 with AVX2"
             : "x86-64";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "portable";
#endif
}

}  // namespace

std::string build_description() {
#ifdef __clang__
  const std::string compiler = "Clang " __clang_version__;
#else
  const std::string compiler = "GCC " __VERSION__;
#endif
  return compiler.substr(0, compiler.find_last_not_of(' ') + 1) + ", " + instruction_set();
}

}  // namespace bkernn
