#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench with gcc and with clang, each in a build of its own below the present folder;
# writes bench-gcc.json and bench-clang.json here. Call it from a build folder or the source tree.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
for compiler in gcc clang; do
    mkdir -p "bench-$compiler"
    (
        cd "bench-$compiler"
        [ -e config.status ] || "$source/configure" -q CC="$compiler"
        make -s bench >/dev/null
        cp bench.json "../bench-$compiler.json"
    )
    printf '%s\n' "bench-$compiler.json" >&2
done
