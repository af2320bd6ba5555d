#!/usr/bin/env bash
# Installs the Debian packages that the given tasks need, if they are missing:
#   tools/setup.sh build test bench check lint valgrind r
set -euo pipefail

packages=()
for task in "$@"; do
  case $task in
    build) packages+=(g++ make cmake libeigen3-dev libcli11-dev nlohmann-json3-dev zlib1g-dev) ;;
    test) packages+=(libgtest-dev clang-14 ccache python3 python3-venv python3-dev) ;;
    bench) packages+=(libbenchmark-dev) ;;
    check) packages+=(clang-14 llvm-14 libclang-rt-14-dev) ;;
    lint) packages+=(clang-format-14 clang-tidy-14 cppcheck) ;;
    valgrind) packages+=(valgrind) ;;
    r) packages+=(r-base-core r-cran-testthat r-cran-knitr r-cran-markdown ccache) ;;
    *)
      echo "tools/setup.sh: unknown task '$task' (build, test, bench, check, lint, valgrind, r)" >&2
      exit 2
      ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'install ok installed' \
    || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Debian packages that are needed but not installed: ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif [ -t 0 ]; then
  read -r -p "Install them with sudo apt-get? [y/N] " answer
  [[ $answer == [yY]* ]] || { echo "Install them yourself and run this again."; exit 1; }
  as_root=(sudo)
else
  echo "Install them as root: apt-get install ${missing[*]}" >&2
  exit 1
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
echo "Installed."
