#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe import raw: the two pushbuffers that NVK sent to a real TU116, and some that CUDA's driver sent to a
# real H100 (tests/golden/raw says where from), decode to the golden text, with each method. The first two
# replay to their end on a Turing model.
#
# PROMISE (traces): Bare pushbuffers of real hardware (a draw and a dispatch on TU116; launches, a
# copy and a wait on H100) are imported and run.
set -u

# shellcheck disable=SC2154 # both are set by make
golden=$(cd "$top_srcdir" && pwd)/tests/golden/raw
# shellcheck disable=SC2154
gfe=$(cd "$top_builddir" && pwd)/gfe
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    if ! "$@"; then
        echo "FAILED: $sentence"
        failures=$((failures + 1))
    fi
}

same_text() # EXPECTED FOUND
{
    [ -z "${GFE_UPDATE_GOLDEN-}" ] || cp "$2" "$1"
    cmp -s "$1" "$2" || { diff "$1" "$2" | head -8; return 1; }
}

for name in render compute; do
    "$gfe" import raw "$golden/tu116_$name.raw" -o $name.gft 2>errors
    check "$name is imported" [ $? -eq 0 ]
    check "nothing is said of $name" [ ! -s errors ]
    "$gfe" decode --recorded-only $name.gft >$name.decoded
    check "$name decodes" same_text "$golden/tu116_$name.decoded" $name.decoded
    check "each method of $name has a name" \
        [ "$(grep -c 'UNKNOWN_\|no such method\|[A-Z)]? ' $name.decoded)" -eq 0 ]
    "$gfe" import raw - -o piped.gft <"$golden/tu116_$name.raw"
    check "$name comes through a pipe too" cmp $name.gft piped.gft
    "$gfe" run $name.gft >ran 2>errors
    check "no other chip than its own replays $name" [ $? -eq 1 ]
done
check 'the dispatch is one block of one thread with 24 registers' \
    grep -q ' qmd .* grid=1x1x1 block=1x1x1 .* registers=24 .* program=0x3ffdf9c780$' compute.decoded

# What CUDA's driver sent to a real H100: launches, one of them in a green context, a copy, a semaphore.
"$gfe" import raw "$golden/gh100_cuda.raw" -o cuda.gft 2>errors
check 'the H100 stream is imported' [ $? -eq 0 ]
"$gfe" decode --recorded-only cuda.gft >cuda.decoded
check 'the H100 stream decodes' same_text "$golden/gh100_cuda.decoded" cuda.decoded
check 'each of its methods has a name' [ "$(grep -c 'UNKNOWN_\|no such method' cuda.decoded)" -eq 0 ]
check 'its launches are of one block and of four, and before each an empty descriptor is scheduled' \
    [ "$(grep -oE 'grid=[0-9x]+ block=[0-9x]+' cuda.decoded | tr '\n' ' ')" = \
        'grid=0x0x0 block=1x1x1 grid=1x1x1 block=1x1x1 grid=0x0x0 block=1x1x1 grid=4x1x1 block=256x1x1 ' ]
check 'the one in the green context is kept off TPCs' \
    [ "$(grep -c 'TPC_DISABLE_MASK_VALID=TRUE' cuda.decoded)" -eq 1 ]
check 'its wait gives the TSG up' grep -q 'SEM_EXECUTE  *ACQUIRE_SWITCH_TSG=EN$' cuda.decoded
check 'its copy has 4 MiB' grep -q 'LINE_LENGTH_IN  *4194304$' cuda.decoded

# There is no model of a TU116: replayed as if they were for a TU106, which has the same classes.
skipped=
if "$gfe" gpus rtx2060 >/dev/null 2>&1; then
    for name in render compute; do
        sed 's/^gpu .*/gpu rtx2060/; s/^chipset .*/chipset 0x166/' "$golden/tu116_$name.raw" >as_tu106.raw
        "$gfe" import raw as_tu106.raw -o $name.gft
        "$gfe" run -o $name.gfl $name.gft >$name.ran 2>errors
        check "$name replays" [ $? -eq 0 ]
        "$gfe" show --as events $name.gfl >$name.events
        check "$name: all of it is processed" \
            [ "$(grep -c 'NV_SEGMENT_END.*' $name.events)" -ge 4 ]
        for kind in MMU_FAULT ENGINE_ERROR PBDMA_INTR CE_LAUNCHERR CHANNEL_STOP WAIT_OPEN; do
            check "$name: no $kind" [ "$(grep -c "$kind" $name.events)" -eq 0 ]
        done
        check "$name: macros are not run, and this is said" grep -q 'macros: [1-9]' $name.ran
        check "$name is scrubbed" "$gfe" scrub $name.gft -o scrubbed.gft >/dev/null
    done
    check 'the dispatch is launched' grep -q '1 grid, 1 block' compute.ran
    check 'the copy is made' grep -q 'copies  *1, 16384 bytes' render.ran
else
    skipped='; skipped: the replay (there is no model of a TU106)'
fi

# The text of the manual page: what a semaphore has to hold is compared with what it holds.
for value in 7 8; do
    sed -n 's/\\-/-/g; /^gfe-raw 1$/,/^expect/p' "$golden/../../../docs/man/gfe-import.man" |
        sed "s/^\(expect .*\) 7$/\1 $value/" >page.raw
    "$gfe" import raw page.raw -o page.gft 2>errors
    check 'the text of the manual page is imported' [ $? -eq 0 ]
    "$gfe" run page.gft >page.$value
done
check 'and reaches its value' grep -q '^ *fences  *2 of 2 reached' page.7
check 'but no other' grep -q '^ *fences  *1 of 2 reached' page.8

# LENGTH of a GP entry is in dwords, from bit 10 of its second word.
sed 's/^push .*/ib 00100000 00001400/' page.raw >entry.raw
"$gfe" import raw entry.raw -o entry.gft
check 'a GP entry says the same as a push' \
    [ "$("$gfe" hash page.gft entry.gft | cut -d' ' -f1 | uniq | wc -l)" -eq 1 ]

[ "$failures" -gt 0 ] || echo "test_raw: passed$skipped"
[ "$failures" -eq 0 ]
