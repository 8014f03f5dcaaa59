#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The shares and intervals of gfe campaign's report are those of another program: campaign_estimate.py
# computes them anew, with floating point, from the experiments in the database. Three plans: one on
# NVIDIA's front end, one on AMD's with rates, one with fewer faults than samples. Skipped without Python.
#
# PROMISE (faults): Shares of strata, and their intervals, are those that another program computes from
# the database, on three plans.
set -eu
gfe=${top_builddir:-.}/gfe
tests=$(cd "${top_srcdir:-.}/tests" && pwd)
command -v python3 >/dev/null 2>&1 && python3 -c 'import sqlite3' 2>/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

fail() # MESSAGE
{
    printf '%s\n' "$1"
    status=1
}

compare() # NAME PROGRAM PLAN
{
    printf '{"programs": ["%s/golden/%s"], %s}\n' "$tests" "$2" "$3" >"$dir/$1.json"
    "$gfe" campaign run "$dir/$1.json" --db "$dir/$1.db" >/dev/null || fail "$1: no campaign"
    "$gfe" campaign report --as csv -o "$dir/$1.csv" "$dir/$1.db"
    python3 "$tests/campaign_estimate.py" "$dir/$1.db" "$dir/$1.csv" >"$dir/out" || fail "$1: $(cat "$dir/out")"
}

compare nvidia compute.gft '"samples": 200, "confidence": "99%", "faults": [
    {"site": "gp_entry", "models": ["flip", "drop"]}, {"site": "release", "models": ["drop"]},
    {"site": "interrupt", "models": ["drop", "spurious"]}, {"site": "data", "models": ["flip"]}]'
compare amd kfd_kernels.gft '"samples": 150, "faults": [
    {"site": "aql", "models": ["flip"], "rate": "1.5"}, {"site": "signal", "models": ["drop"], "rate": 3},
    {"site": "doorbell", "models": ["drop", "flip"], "rate": "0.25"}]'
compare whole compute.gft '"samples": 500, "faults": [
    {"site": "release", "models": ["drop", "duplicate"]}, {"site": "interrupt", "models": ["drop"]},
    {"site": "runlist_submit", "models": ["drop"]}]'

# The checker finds what is wrong: a share, and an interval.
for change in 's/^\(all,"all",Masked,[^,]*,[^,]*,[^,]*\),[0-9]*/\1,1/' \
    's/^\(stratum,"0 gp_entry flip",Masked,[^,]*,[^,]*,[^,]*,[^,]*\),[0-9]*/\1,1/'; do
    sed "$change" "$dir/nvidia.csv" >"$dir/wrong.csv"
    ! cmp -s "$dir/nvidia.csv" "$dir/wrong.csv" || fail "nothing is changed by $change"
    ! python3 "$tests/campaign_estimate.py" "$dir/nvidia.db" "$dir/wrong.csv" >/dev/null || fail "not found: $change"
done
exit $status
