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
# With their times, so that a second build finds the first one up to date.
cp -a /usr/include/eigen3 /usr/include/nlohmann /usr/include/CLI "$prefix/include"
cp -a /usr/include/zlib.h /usr/include/zconf.h "$prefix/include"
cp -a /usr/share/cmake/nlohmann_json /usr/share/cmake/CLI11 "$prefix/share/cmake"
cp -a /usr/share/eigen3 "$prefix/share"

# Debian's zlib is compiled for programs. In a library its one variable must be its own: zlib as one
# object, of which nobody else sees the variable.
ld -r -o "$prefix/lib/zlib.o" --whole-archive "/usr/lib/$machine-linux-gnu/libz.a"
objcopy --localize-symbol=z_errmsg "$prefix/lib/zlib.o"
ar rcs "$prefix/lib/libz.a" "$prefix/lib/zlib.o"

# GCC's runtime library comes before that of zig, which is one object: a program that takes anything
# from it has its exp and log too, which give other bits, and its __stack_chk_fail. GCC's also knows
# which instructions there are, for functions that are compiled twice.
runtime=$(c++ -print-libgcc-file-name)
mkdir -p "$directory/bin"
for language in cc c++; do
  cat > "$directory/wrapper" << END
#!/bin/sh
case " \$* " in
  *" -c "* | *" -E "*) ;;
  *" -shared "*) set -- "\$@" $runtime ;;
  *) set -- -pie "\$@" $runtime ;;
esac
exec $zig $language -target $machine-linux-gnu.2.17 "\$@"
END
  chmod +x "$directory/wrapper"
  cmp -s "$directory/wrapper" "$directory/bin/$language" \
    || mv "$directory/wrapper" "$directory/bin/$language"
done
