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
build_with_clang() {
  "${CMAKE:-cmake}" --preset checked > build/configure-checked.log \
    && "${CMAKE:-cmake}" --build --preset checked -j "$(nproc)"
}
step "clang build, warnings are errors" build_with_clang
tidy() {
  # What it says of the project goes to standard output; standard error only counts what it suppressed.
  git ls-files 'src/*.cpp' 'tables/*.cpp' 'report/*.cpp' 'cli/*.cpp' 'fuzz/*.cpp' |
    xargs -P "$(nproc)" -n 1 clang-tidy-14 --quiet -p build/checked 2> /dev/null
}
step "clang-tidy" tidy
step "cppcheck" cppcheck --quiet --enable=warning,performance,portability --std=c++20 \
  --inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
  '--suppress=assignBoolToPointer:python/bindings/*' -I include -I src -I . \
  include src tables report cli python/bindings fuzz
step "ruff" ruff check .
step "ruff format" ruff format --check .
step "mypy" mypy
exit $failed
