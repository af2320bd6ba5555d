# Flags that the project's own targets share. None of them reaches whoever links the library.
add_library(bkernn_compile_options INTERFACE)
target_compile_options(bkernn_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-restrict>")  # false alarms of GCC 12
if(BKERNN_WARNINGS_AS_ERRORS)
  target_compile_options(bkernn_compile_options INTERFACE -Werror)
endif()
# Products are rounded before they are added. Compilers fuse the two in some copies of a loop and
# not in others, so that the term of a row would depend on where in a block the row stands.
target_compile_options(bkernn_compile_options INTERFACE -ffp-contract=off)
# Eigen keeps to the calling thread: only src/base/parallel.cpp starts threads.
target_compile_definitions(bkernn_compile_options INTERFACE EIGEN_DONT_PARALLELIZE)
if(BKERNN_SANITIZE)
  add_compile_options(
    -fsanitize=${BKERNN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BKERNN_SANITIZE})
endif()
if(NOT BKERNN_SANITIZE)  # sanitizers find more, and do not work together with these
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
  string(CONCAT BKERNN_HARDENING "$<$<CONFIG:Release>:-fstack-protector-strong;"
    "-fstack-clash-protection;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
if(BKERNN_COVERAGE)  # clang's kind, which counts branches of the source but no exception edges
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(BKERNN_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(BKERNN_FUZZ OR BKERNN_SANITIZE MATCHES thread)
  # Resolving target_clones at load time crashes under ThreadSanitizer and in instrumented programs.
  target_compile_definitions(bkernn_compile_options INTERFACE BKERNN_NO_CLONES)
endif()
# The installed static library carries these flags only at build time.
install(TARGETS bkernn_compile_options EXPORT bkernn-targets)
