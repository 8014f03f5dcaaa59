#!/bin/sh
# SPDX-License-Identifier: MIT
# A struct of the arena that has padding does not compile; the same struct without it does.
#
# PROMISE (engine): Structs in the arena have no implicit padding: a struct with a hole does not
# compile.
set -eu
: "${top_srcdir:=.}" "${CC:=cc}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compile() # MEMBERS
{
    printf '#include "emu/engine/arena.h"\nGFE_STATE_BEGIN\nstruct try {\n%s\n};\nGFE_STATE_END\n%s\n' \
        "$1" 'struct outside { char a; long b; } outside; unsigned long used = sizeof(struct try);' >"$scratch/try.c"
    $CC -std=c11 -I"$top_srcdir" -c "$scratch/try.c" -o "$scratch/try.o" 2>"$scratch/said"
}

if ! compile 'uint32_t a; uint32_t b; uint64_t c;'; then
    echo 'a struct without padding is refused:'
    cat "$scratch/said"
    exit 1
fi
for members in 'uint32_t a; uint64_t b;' 'uint64_t a; uint32_t b;' 'uint8_t a; uint16_t b;'; do
    if compile "$members"; then
        echo "padding in { $members } is not noticed"
        exit 1
    fi
    grep -q padd "$scratch/said"
done
