#!/bin/sh
# SPDX-License-Identifier: MIT
# Small inputs from public reports, each with the right answer and why it is right: tests/cases/NAME has
# README, a command (a line of sh that may use $gfe, $case and $top) and what its output has to have (an
# extended regular expression a line); status has the exit status if it is not 0 (3: work is left).
#
# PROMISE (program): Cases from public reports give the answer that is right by the vendor's or kernel's source.
set -eu
gfe=$(cd "${top_builddir:-.}" && pwd)/gfe
top=$(cd "${top_srcdir:-.}" && pwd)
export gfe top
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0

for case in "$top"/tests/cases/*/; do
    case=${case%/}
    export case
    [ -f "$case/README" ] || { [ -f "$case/blocks.txt" ] && continue; }
    [ -f "$case/command" ] && [ -f "$case/expected" ] || {
        echo "$(basename "$case"): README, command and expected are one case"
        exit 1
    }
    mkdir "$scratch/$count"
    status=0 wanted=0
    [ ! -f "$case/status" ] || wanted=$(cat "$case/status")
    (cd "$scratch/$count" && sh "$case/command") >"$scratch/out" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || {
        echo "$(basename "$case"): status $status instead of $wanted"
        cat "$scratch/out"
        exit 1
    }
    while read -r line; do
        grep -qE -- "$line" "$scratch/out" || {
            echo "$(basename "$case"): no line like '$line' in"
            cat "$scratch/out"
            exit 1
        }
    done <"$case/expected"
    count=$((count + 1))
done
[ "$count" -gt 0 ] || {
    echo 'there is no case'
    exit 1
}
echo "$count cases"
