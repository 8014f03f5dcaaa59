#!/bin/sh
# SPDX-License-Identifier: MIT
# The names that pictures and the page give to kernels, copies and blocks are names for gfe explain and
# gfe debug, too: of recordings of both vendors, and of scenarios.

top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
gfe=$top_builddir/gfe
golden=$top_srcdir/tests/golden
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
failed=0

run() # NAME ARGUMENT...
{
    name=$1
    shift
    "$gfe" run -o "$dir/$name.gfl" "$@" >"$dir/out" 2>&1 || fail "run $name: $(cat "$dir/out")"
}
# The story of NAME in LOG begins so.
tells() # LOG NAME BEGINNING
{
    "$gfe" explain "$dir/$1.gfl" "$2" >"$dir/text" 2>"$dir/err" || fail "$1 $2: $(cat "$dir/err")"
    case $(head -n 1 "$dir/text") in
    "$3"*) ;;
    *) fail "$1 $2: $(head -n 1 "$dir/text")" ;;
    esac
}
# Two names for the same.
same() # LOG NAME NAME
{
    "$gfe" explain --exact "$dir/$1.gfl" "$2" >"$dir/one" 2>&1
    "$gfe" explain --exact "$dir/$1.gfl" "$3" >"$dir/two" 2>&1 && cmp -s "$dir/one" "$dir/two" ||
        fail "$1: $2 is not $3: $(head -n 1 "$dir/two")"
}
none() # LOG NAME
{
    if "$gfe" explain "$dir/$1.gfl" "$2" >"$dir/text" 2>"$dir/err" || [ "$(wc -l <"$dir/err")" != 1 ]; then
        fail "$1: there is a $2: $(cat "$dir/err")"
    fi
}
# What gfe show draws, gfe explain knows: each block, by both names.
all_blocks() # LOG
{
    "$gfe" show --as csv "$dir/$1.gfl" | awk -F, '$2 == "block" { split($6, part, "."); print $7 ":" part[2], $6 }' |
        head -n 30 >"$dir/blocks"
    [ -s "$dir/blocks" ] || fail "$1: no blocks"
    while read -r names; do
        for name in $names; do
            "$gfe" explain "$dir/$1.gfl" "$name" >/dev/null 2>"$dir/err" || fail "$1: $(cat "$dir/err")"
        done
    done <"$dir/blocks"
}

run nvidia "$golden/compute.gft"
tells nvidia K1 'launch:2: K1, 30 blocks'
tells nvidia K1:0 'block:2.0: K1:0, on SM 0'
same nvidia K1:0 block:2.0
same nvidia K2:6 block:4.6
same nvidia launch:2:29 block:2.29
same nvidia C1 copy:1
none nvidia K1:30
none nvidia K3:0
none nvidia C1:0
none nvidia K1:x
none nvidia copy:1:0

run amd "$golden/hip_streams.gft"
tells amd K1 'Q1024/kernel (in pictures K1): kernel in the queue'
tells amd K1:7 'Q1024/kernel:7 (in pictures K1:7): block of a kernel'
same amd K1 Q1024/kernel
same amd K2:239 Q1024/kernel#2:239
same amd C1 Q1280/copy
tells amd block:1.0 'block:1.0: K1:0, on SM 0'
none amd K1:240
none amd K99
grep -q "no 'K99' in it, but Q1024/kernel#1 to #2, .*; in pictures K1 to K10, C1 to C4\$" "$dir/err" ||
    fail "names that there are: $(cat "$dir/err")"
none amd C1:0
none amd D1

run scenario --gpu tx2 "$top_srcdir/scenarios/amert2017-table1.json"
tells scenario K4:0 'K4:0: block of a kernel of task "S2"'
tells scenario block:5.0 'block:5.0: K1:0, on SM'
tells scenario S1/copy#2 'S1/copy#2: copy of task'
none scenario K7
none scenario K9:0

# CORE.GRIDS names the resident grids: 16 on a GPU of compute capability 6.2 (the table of technical
# specifications in NVIDIA's CUDA C++ programming guide).  k0 to k15 start at once, k16 when k0 ends.
run grids --gpu tx2 --param cuda.channels=20 "$top_srcdir/tests/rules/core_grids.json"
"$gfe" explain "$dir/grids.gfl" k16 | tr -s ' \n' ' ' >"$dir/text"
grep -q 'k16 waited to be resident (CORE.GRIDS): its context had 16 resident grids, k0, k1, k2, k3 and 12 more, until k0 ended' \
    "$dir/text" || fail "resident grids of k16: $(cat "$dir/text")"
"$gfe" explain --json "$dir/grids.gfl" k18 | tr -d ' \n' >"$dir/text"
grep -q '"rule":"CORE.GRIDS","by":null,"resident":\["k2","k3","k4","k5","k6","k7","k8","k9","k10","k11","k12","k13","k14","k15","k16","k17"\]' \
    "$dir/text" || fail "resident grids of k18: $(cat "$dir/text")"
launch=$("$gfe" explain --rules "$dir/grids.gfl" |
    sed -n 's/.* CORE.GRIDS .* \(launch:[0-9]*\), launch:[0-9]* and 15 more resident grids$/\1/p')
[ -n "$launch" ] || fail "resident grids by rule: $("$gfe" explain --rules "$dir/grids.gfl")"
"$gfe" explain --json "$dir/grids.gfl" "$launch" | tr -d ' \n' >"$dir/text"
grep -q '"rule":"CORE.GRIDS","by":"launch:[0-9]*and15moreresidentgrids","resident":\["launch:[0-9]*"\(,"launch:[0-9]*"\)\{15\}\]' \
    "$dir/text" || fail "resident grids of $launch: $(cat "$dir/text")"

# In the debugger as well.
for words in 'nvidia compute K1:0 block:2.0' 'amd hip_streams K1:7 Q1024/kernel:7'; do
    # shellcheck disable=SC2086 # words
    set -- $words
    "$gfe" debug --batch -e 'goto end' -e "explain $3" "$golden/$2.gft" >"$dir/text" 2>&1 &&
        grep -q "^$4" "$dir/text" || fail "debug, $1: $(tail -n 1 "$dir/text")"
done

for log in nvidia amd scenario; do
    all_blocks $log
done
exit $failed
