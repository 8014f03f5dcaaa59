#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/build_variants.sh DIRECTORY
#
# Builds the program gfe, and nothing else, with gcc and clang at -O0, -O1, -O2 and -O3, as
# DIRECTORY/gfe-<compiler>-O<level>, for tests/same_log.sh. A compiler that is not there is left out;
# ccache is used if it is there. JOBS says how many compilations run at a time; LEVELS, if set, which
# levels are built.
set -eu
[ $# -eq 1 ] || { echo 'usage: tests/build_variants.sh DIRECTORY' >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"
ccache=
command -v ccache >/dev/null 2>&1 && ccache='ccache '
built=0
for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "build_variants: no $compiler: left out"
        continue
    fi
    mkdir -p "$compiler"
    (cd "$compiler" && "$top/configure" -q --disable-dependency-tracking --disable-lto CC="$ccache$compiler")
    before=/dev/null
    for level in ${LEVELS:-0 1 2 3}; do
        variant=gfe-$compiler-O$level
        make -C "$compiler" -s clean
        make -C "$compiler" -s -j"${JOBS:-2}" CFLAGS="-O$level" gfe
        cp "$compiler/gfe" "$variant"
        # Would all levels be one, equal logs would say nothing.
        if cmp -s "$before" "$variant"; then
            echo "build_variants: $variant is $before"
            exit 1
        fi
        before=$variant
        built=$((built + 1))
    done
done
[ "$built" -gt 0 ]
