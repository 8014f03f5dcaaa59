#!/bin/sh
# SPDX-License-Identifier: MIT
# libgfe, shared and static, gives the linker gfe_ symbols only.
#
# PROMISE (program): libgfe exports the functions of emu/sim/gfe.h and nothing else.
set -eu
: "${top_builddir:=.}" "${NM:=nm}"
status=0

check_symbols() # NAME FILE NM-OPTION...
{
    name=$1 file=$2
    shift 2
    symbols=$("$NM" "$@" --defined-only --extern-only "$file" | awk 'NF == 3 { print $3 }')
    if ! printf '%s\n' "$symbols" | grep -qx 'gfe_version'; then
        echo "$name: gfe_version is not exported"
        status=1
    fi
    # Sanitizers add names of their own, which begin with __.
    stray=$(printf '%s\n' "$symbols" | grep -Ev '^(gfe_|__)' || true)
    if [ -n "$stray" ]; then
        printf '%s: stray symbols:\n%s\n' "$name" "$stray"
        status=1
    fi
}

check_symbols libgfe.so "$top_builddir/libgfe.so.0.0.0" -D
check_symbols libgfe.a "$top_builddir/libgfe.a"
exit "$status"
