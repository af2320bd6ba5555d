#!/usr/bin/env bash
# A compiler for wheels that run on old systems: zig (from PyPI) with the glibc of 2012, and beside
# it the headers and the zlib of Debian, apart from Debian's own glibc headers.
#   tools/portable_toolchain.sh DIRECTORY PYTHON
# PYTHON has the package ziglang. Makes DIRECTORY/bin and DIRECTORY/prefix.
set -euo pipefail
directory=$(mkdir -p "$1" && cd "$1" && pwd)
zig=$("$2" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')
machine=$(uname -m)
mkdir -p "$directory/bin"
wrap() {  # name command…
  printf '#!/bin/sh\nexec %s "$@"\n' "${*:2}" > "$directory/bin/$1"
  chmod +x "$directory/bin/$1"
}
target="-target $machine-linux-gnu.2.17"
wrap cc "$zig" cc "$target"
wrap c++ "$zig" c++ "$target"

prefix=$directory/prefix
rm -rf "$prefix"
mkdir -p "$prefix/include" "$prefix/lib" "$prefix/share/cmake"
cp -r /usr/include/eigen3 /usr/include/nlohmann /usr/include/CLI "$prefix/include"
cp /usr/include/zlib.h /usr/include/zconf.h "$prefix/include"
cp "/usr/lib/$machine-linux-gnu/libz.a" "$prefix/lib"
cp -r /usr/share/cmake/nlohmann_json /usr/share/cmake/CLI11 "$prefix/share/cmake"
cp -r /usr/share/eigen3 "$prefix/share"
