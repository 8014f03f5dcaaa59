#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/same_log.sh TRACE GFE [GFE...]
#
# One trace gives one log: replays TRACE 100 times with the first gfe program and once with each of
# the others (another compiler, another optimisation), and compares what `gfe hash` says of the logs.
set -eu

if [ $# -lt 2 ]; then
    echo 'usage: tests/same_log.sh TRACE GFE [GFE...]' >&2
    exit 2
fi
trace=$1 reference=$2
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

hash_of_run() # GFE
{
    "$1" run -o "$work/log.gfl" "$trace" >/dev/null
    # The first program reads all the logs, so that only the replay differs.
    "$reference" hash "$work/log.gfl" | cut -d' ' -f1
}

expected=$(hash_of_run "$reference")
[ -n "$expected" ]
compare() # GFE WHICH-RUN
{
    found=$(hash_of_run "$1")
    if [ "$found" != "$expected" ]; then
        echo "same_log: FAILED: $2 of $1 gave $found, the first of $reference $expected"
        exit 1
    fi
}

run=2
while [ "$run" -le 100 ]; do
    compare "$reference" "run $run"
    run=$((run + 1))
done
shift
for other in "$@"; do
    compare "$other" 'the run'
done
echo "same_log: $(basename "$trace"): 100 runs and $# other builds, one hash: $expected"
