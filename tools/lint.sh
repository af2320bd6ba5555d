#!/usr/bin/env bash
# What `make lint` checks. Every step is run; the exit code says whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
step() {
  echo "== $1"
  shift
  "$@" || failed=1
}
mapfile -t sources < <(git ls-files '*.cpp' '*.hpp')

step "clang-format" clang-format-14 --dry-run -Werror "${sources[@]}"
step "layers" python3 tools/check_layers.py
step "line width" python3 tools/check_prose.py
step "drawing of the rooms" python3 tools/draw_rooms.py --check
# Clang's own warnings are among the findings, so nothing has to be built for them. Tests and
# measurements are checked for those alone.
configure() {
  "${CMAKE:-cmake}" --preset lint > build/configure-lint.log 2>&1 || cat build/configure-lint.log
}
tidy() {  # [option]: on the files that stand in standard input
  # Findings go to standard output; standard error only counts what was suppressed.
  xargs -P "$(nproc)" -n 1 clang-tidy-14 --quiet -p build/lint "$@" 2> /dev/null
}
# The files of a room are read as one, because most of the time goes into what they all include.
# The analyzer passes over files that are included unless it is told not to, and follows a function
# as far as a quarter of its usual limit: beyond that it finds little and takes long.
compiled() {  # what the compiler is called for
  sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' build/lint/compile_commands.json | sort -u
}
of_tests="^$PWD/(build/lint/)?(tests|benchmarks)/"
clang() {  # option …: for the compiler's front end
  printf -- '--extra-arg=-Xclang --extra-arg=%s ' "$@"
}
tidy_sources() {
  # shellcheck disable=SC2046
  compiled | grep -vE "$of_tests" |
    tidy $(clang -analyzer-opt-analyze-headers -analyzer-config max-nodes=56000)
}
warn_tests() {
  compiled | grep -E "$of_tests" |
    tidy '--checks=-*,clang-diagnostic-*,modernize-use-nullptr'
}
configure
step "clang-tidy and clang's warnings" tidy_sources
step "clang's warnings in tests" warn_tests
step "cppcheck" cppcheck --quiet --enable=warning,performance,portability --std=c++20 \
  --inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
  '--suppress=assignBoolToPointer:python/bindings/*' -I include -I src -I . \
  include src tables report cli python/bindings r/src fuzz
step "workflows" check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
step "ruff" ruff check .
step "ruff format" ruff format --check .
step "mypy" mypy
exit $failed
