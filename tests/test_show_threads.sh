#!/bin/sh
# SPDX-License-Identifier: MIT
# No view shows more threads on an SM than the SM has, or places a block above them.
#
# The most threads of an SM: NVIDIA's CUDA C++ Programming Guide, "Technical Specifications per Compute
# Capability", row "Maximum number of resident threads per SM": 2048 for 6.2 (Jetson TX2) and 6.1 (GTX
# 1060).  Those of a CU: 4 SIMDs with 10 waves of 64 work items each, 2560 (AMD, "Vega" Instruction Set
# Architecture Reference Guide, and Otterness and Anderson 2022, s.2.1, for the Radeon VII).
#
# PROMISE (views): No view shows more threads on an SM than its vendor says that it has.
set -u

# shellcheck disable=SC2154 # both are set by make
top=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
gfe=$(cd "$top_builddir" && pwd)/gfe
[ -n "${GFE_TEST_PROGRAM:-}" ] && gfe=$GFE_TEST_PROGRAM
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8
status=0

wrong() # WORDS
{
    echo "$*"
    status=1
}

# The most threads at a time on one SM, and the highest place of a block, of all blocks of a table.
most_in_csv()
{
    awk -F, '$2 == "block" {
        print $1 "\t" $3 "\t" $15; print $1 "\t" $4 "\t" (-$15)
        top = $14 + $15
        if ($17 != "") { top = 0; n = split($17, piece, " ")
            for (i = 1; i <= n; i++) { split(piece[i], at, "@")
                if (at[1] + at[2] > top) top = at[1] + at[2] } }
        if (top > highest) highest = top
    } END { print "highest\t0\t" highest + 0 }' "$1" |
        sort -t '	' -k 1,1 -k 2,2n -k 3,3n |
        awk -F '\t' '$1 == "highest" { highest = $3; next } $1 != sm { sm = $1; now = 0 }
            { now += $3; if (now > most) most = now } END { print most, highest }'
}

most_in_vcd() # the highest value of an SM's or CU's "threads"
{
    awk '$1 == "$scope" { depth++; name[depth] = $3 } $1 == "$upscope" { depth-- }
        $1 == "$var" && $5 == "threads" && name[depth] ~ /^(SM|CU)_/ { is[$4] = 1 }
        /^b/ && ($2 in is) { value = 0; bits = substr($1, 2)
            for (i = 1; i <= length(bits); i++) value = 2 * value + substr(bits, i, 1)
            if (value > most) most = value } END { print most + 0 }' "$1"
}

check() # NAME GPU THREADS CONFIG
{
    log=$work/$1.gfl
    "$gfe" run --gpu "$2" -o "$log" "$4" >"$work/out" 2>&1 || wrong "$1: $(cat "$work/out")"
    "$gfe" show --as csv "$log" >"$work/csv"
    most=$(most_in_csv "$work/csv")
    # Waves of AMD's blocks end one by one, without an event: rule A.D5.  There the places count.
    [ "$2" = radeon-vii ] && most=${most#* }
    for most in $most; do
        [ "$most" -le "$3" ] || wrong "$1: the table has $most threads on an SM of $3"
        [ "$most" -gt 0 ] || wrong "$1: the table has no blocks"
    done
    most=$("$gfe" show --width 100 "$log" | sed -n 's/.* threads on an\{0,1\} [SC][MU], up to \([0-9]*\)$/\1/p')
    [ "${most:-0}" -gt 0 ] && [ "$most" -le "$3" ] || wrong "$1: the text has '$most' threads of $3"
    "$gfe" show --as vcd -o "$work/vcd" "$log"
    most=$(most_in_vcd "$work/vcd")
    [ "$most" -gt 0 ] && [ "$most" -le "$3" ] || wrong "$1: the dump has '$most' threads of $3"
    for view in all sm; do
        "$gfe" show --as svg --view $view -o "$work/svg" "$log"
        most=$(sed -n "s/.*row is \([0-9]*\) threads high.*/\1/p; s/^is \([0-9]*\) threads high.*/\1/p
            s/.*>row is \([0-9]*\) threads high.*/\1/p; s/.*>is \([0-9]*\) threads high.*/\1/p" "$work/svg" | head -n 1)
        [ "${most:-0}" -gt 0 ] && [ "$most" -le "$3" ] || wrong "$1, view $view: '$most' threads of $3"
    done
}

check table5 tx2 2048 "$top/scenarios/amert2017-table5.json"
check table1 tx2 2048 "$top/scenarios/amert2017-table1.json"
check streams gtx1060 2048 "$top/scenarios/streams-12x6.json"
check one-more radeon-vii 2560 "$top/docs/labs/one-more.json"
check two-engines radeon-vii 2560 "$top/docs/labs/two-engines.json"

# Amert et al. 2017, Table V, on a TX2: K8 (1,024 threads) starts on SM 1 while K4 and K6 keep 512 threads
# each there.  What is free are two gaps of 512, so a picture has to place it in two pieces.
"$gfe" show --as csv "$work/table5.gfl" | grep '^SM 1,block,.*,K8,.*,512@0 512@1536$' >"$work/k8" ||
    wrong 'K8 of Table V does not lie in the two gaps that are free'
"$gfe" show --as html -o "$work/page.html" "$work/table5.gfl" || wrong 'no page'

# A range of 400 us at 1.311 s has ends that differ.
"$gfe" show --from 1311ms --to 1311.4ms --width 100 "$work/table1.gfl" >"$work/text"
sed -n 2p "$work/text" | awk '{ exit !($1 != $4) }' ||
    wrong "the window is printed as '$(sed -n 2p "$work/text")'"

exit $status
