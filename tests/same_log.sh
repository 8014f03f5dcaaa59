#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/same_log.sh [-n RUNS] TRACE GFE [GFE...]
#
# One trace gives one log: replays TRACE 1000 times, or RUNS times, with the first gfe program, half
# of them with --batch-limit 1, and with each of the others (another compiler, another optimisation)
# four times, from a file and from a pipe, with and without that limit. Compares what `gfe hash` of
# the first program says of the logs, so that only the replay differs.
#
# PROMISE (log): One hash for all replays of a recorded program (100 in the CI, 1,000 in
# make check-long), with and without cut batches, and for builds with gcc, with clang and with
# sanitizers, from a file and through a pipe.
set -eu

usage()
{
    echo 'usage: tests/same_log.sh [-n RUNS] TRACE GFE [GFE...]' >&2
    exit 2
}

runs=1000
if [ "${1-}" = -n ] && [ $# -gt 1 ]; then
    runs=$2
    shift 2
fi
[ $# -ge 2 ] || usage
trace=$1 reference=$2
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# Logs are hashed some at a time. Each has a name that says where it came from.
batch=100
logs()
{
    find "$work/$1" -name '*.gfl'
}
check() # DIRECTORY
{
    logs "$1" | xargs "$reference" hash >"$work/$1/hashes"
    cut -d' ' -f1 "$work/$1/hashes" | sort -u >"$work/$1/distinct"
    if [ "$(wc -l <"$work/$1/distinct")" -ne 1 ] || ! cmp -s "$work/$1/distinct" "$work/expected"; then
        echo "same_log: FAILED: expected $(cat "$work/expected") of $trace by $reference, but:"
        grep -v "^$(cat "$work/expected")" "$work/$1/hashes" || true
        return 1
    fi
    logs "$1" | xargs rm -f
}

# The first program, again and again, with one batch limit.
again() # DIRECTORY LIMIT COUNT
{
    mkdir "$work/$1"
    n=0
    while [ "$n" -lt "$3" ]; do
        n=$((n + 1))
        "$reference" run --batch-limit "$2" -o "$work/$1/run-$n.gfl" "$trace" >/dev/null
        if [ $((n % batch)) -eq 0 ] || [ "$n" -eq "$3" ]; then
            check "$1"
        fi
    done
}

"$reference" run -o "$work/first.gfl" "$trace" >/dev/null
"$reference" hash "$work/first.gfl" | cut -d' ' -f1 >"$work/expected"
[ "$(wc -c <"$work/expected")" -eq 65 ]

again unlimited 0 $((runs - runs / 2)) &
unlimited=$!
status=0
again limited 1 $((runs / 2)) || status=1
wait "$unlimited" || status=1
[ "$status" -eq 0 ] || exit 1

shift
mkdir "$work/others"
number=0
for other; do
    number=$((number + 1))
    for limit in 0 1; do
        name=$work/others/build-$number-limit-$limit
        "$other" run --batch-limit "$limit" -o "$name-file.gfl" "$trace" >/dev/null
        # shellcheck disable=SC2002 # a pipe is wanted
        cat "$trace" | "$other" run --batch-limit "$limit" -o "$name-pipe.gfl" - >/dev/null
    done
done
[ $# -eq 0 ] || check others
echo "same_log: $(basename "$trace"): $runs runs and $# other builds, one hash: $(cat "$work/expected")"
