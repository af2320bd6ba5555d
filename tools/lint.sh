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
tidy_sources() {
  git ls-files 'src/*.cpp' 'tables/*.cpp' 'report/*.cpp' 'cli/*.cpp' 'fuzz/*.cpp' | tidy
}
warn_tests() {
  git ls-files 'tests/cpp/*.cpp' 'benchmarks/*.cpp' |
    tidy '--checks=-*,clang-diagnostic-*,modernize-use-nullptr'
}
configure
step "clang-tidy and clang's warnings" tidy_sources
step "clang's warnings in tests" warn_tests
step "cppcheck" cppcheck --quiet --enable=warning,performance,portability --std=c++20 \
  --inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
  '--suppress=assignBoolToPointer:python/bindings/*' -I include -I src -I . \
  include src tables report cli python/bindings fuzz
step "ruff" ruff check .
step "ruff format" ruff format --check .
step "mypy" mypy
exit $failed
