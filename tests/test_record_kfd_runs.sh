#!/bin/sh
# SPDX-License-Identifier: MIT
# HIP with eight threads whose streams share queues, recorded again and again: that no run hangs,
# loses a word or a store. Doorbells are rung out of order there, and a stand-in that took the last
# value for the highest hung in 1 of 10 to 53 such runs.
#
# GFE_RUNS=200: as many runs (3); GFE_ROUNDS: rounds of copies of each thread (25).
#
# PROMISE (traces): HIP with eight threads is recorded again and again without a hang or a wrong
# word.
set -u

# shellcheck disable=SC2154 # both are set by make
case $top_builddir in /*) build=$top_builddir ;; *) build=$PWD/$top_builddir ;; esac
gfe=$build/gfe
client=$build/tests/clients/hip_client
runs=${GFE_RUNS:-3}
rounds=${GFE_ROUNDS:-25}

[ -x "$client" ] || { echo 'skipped: the HIP client is not there (libamdhip64-dev)'; exit 77; }
[ "$(uname -m)" = x86_64 ] || {
    echo 'skipped: stores to doorbells are seen on x86-64 only'
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work
export TMPDIR
cd "$work" || exit 1
unset GFE_RECORD_BREAK GPU_MAX_HW_QUEUES

begin=$(date +%s)
shortest='' longest=0 failed=0 run=0 doorbells=0
while [ $run -lt "$runs" ]; do
    run=$((run + 1))
    started=$(date +%s%N)
    timeout -k 5 120 "$gfe" record --gpu radeon-vii -o run.gft -- "$client" threads 8 "$rounds" \
        >stdout 2>stderr
    status=$?
    ms=$((($(date +%s%N) - started) / 1000000))
    [ $ms -le $longest ] || longest=$ms
    [ -n "$shortest" ] && [ $ms -ge "$shortest" ] || shortest=$ms
    seen=$(sed -n 's/.* clients, \([0-9]*\) doorbells.*/\1/p' stderr)
    doorbells=$((doorbells + ${seen:-0}))
    if [ $status != 0 ] || ! grep -q " $rounds rounds, 0 wrong words" stdout ||
        "$gfe" decode --records run.gft | grep 'values may be missing'; then
        echo "FAILED: run $run: status $status after $ms ms"
        tail -n 3 stdout stderr
        failed=$((failed + 1))
    fi
done
echo "$run runs of 8 threads and $rounds rounds, $doorbells doorbells: $failed failed;" \
    "$shortest to $longest ms each, $(($(date +%s) - begin)) s in all"
[ $failed = 0 ] && [ "$doorbells" -gt 0 ]
