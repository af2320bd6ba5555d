#!/usr/bin/env bash
# A compiler for wheels that run on old systems: zig (from PyPI) with the glibc of 2012, and beside
# it the headers and the zlib of Debian, apart from Debian's own glibc headers.
#   tools/portable_toolchain.sh DIRECTORY PYTHON
# PYTHON has the package ziglang. Makes DIRECTORY/bin and DIRECTORY/prefix.
set -euo pipefail
directory=$(mkdir -p "$1" && cd "$1" && pwd)
zig=$("$2" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')
machine=$(uname -m)
prefix=$directory/prefix
rm -rf "$prefix"
mkdir -p "$prefix/include" "$prefix/lib" "$prefix/share/cmake"
cp -r /usr/include/eigen3 /usr/include/nlohmann /usr/include/CLI "$prefix/include"
cp /usr/include/zlib.h /usr/include/zconf.h "$prefix/include"
cp "/usr/lib/$machine-linux-gnu/libz.a" "$prefix/lib"
cp -r /usr/share/cmake/nlohmann_json /usr/share/cmake/CLI11 "$prefix/share/cmake"
cp -r /usr/share/eigen3 "$prefix/share"

# Functions that are compiled twice ask which instructions there are. zig's runtime library has no
# answer; that of GCC has.
runtime=
if [ "$machine" = x86_64 ]; then
  (cd "$prefix/lib" && ar x "$(c++ -print-libgcc-file-name)" cpuinfo.o)
  runtime=$prefix/lib/cpuinfo.o
fi
mkdir -p "$directory/bin"
for language in cc c++; do
  cat > "$directory/bin/$language" << END
#!/bin/sh
case " \$* " in
  *" -c "* | *" -E "*) ;;
  *) set -- "\$@" $runtime ;;  # links
esac
exec $zig $language -target $machine-linux-gnu.2.17 "\$@"
END
  chmod +x "$directory/bin/$language"
done
