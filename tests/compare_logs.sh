#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: compare_logs.sh OLD-GFE NEW-GFE [RUNS]
# Runs all committed recordings, register programs, pushbuffers and scenarios of both
# vendors with two builds of gfe, and compares the event logs byte by byte: first as they are, then
# with other seeds and with each alternative of each choice point, until RUNS (all: some 2,300) have
# been made.  A choice that the GPU does not have is refused: a run that fails has to fail with the
# same words.  Prints each difference; exit status 1 if there was one.  For changes that must not
# change behaviour; not a part of make check.
set -euo pipefail
[ $# -ge 2 ] || {
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
}
old=$(realpath "$1") new=$(realpath "$2") wanted=${3-100000}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each input stands in a line: what gfe run takes, without the settings.
inputs()
{
    ls tests/golden/*.gft docs/labs/*.gft
    for text in tests/golden/*.bus tests/golden/raw/*.raw; do
        name=$work/$(basename "$text").gft
        "$old" import "${text##*.}" -o "$name" "$text" >/dev/null 2>&1 && echo "$name"
    done
    ls scenarios/*.json docs/labs/*.json
}

# Each setting stands in a line, from the one that most inputs know to the vendors' own.
settings()
{
    echo
    echo '--seed 1'
    echo '--seed 7'
    echo '--seed 2147483648'
    echo '--seed 1000003'
    "$new" rules --json | python3 -c '
import json, sys
for choice in json.load(sys.stdin)["choice_points"]:
    for name in choice["alternatives"]:
        if name != choice["default"]:
            print("--policy %s=%s" % (choice["id"], name))'
}

one() # SETTING INPUT
{
    local file side
    file=$(mktemp -d "$work/run.XXXXXX")
    for side in old new; do
        # shellcheck disable=SC2086 # settings and inputs are words
        timeout 300 "${!side}" run -o "$file/$side" $1 $2 >"$file/$side.out" 2>&1 ||
            echo "exit status $?" >>"$file/$side.out"
        # What is printed differs in nothing but the log's name.
        sed -i "s,$file/$side,LOG,g" "$file/$side.out"
    done
    if ! cmp -s "$file/old.out" "$file/new.out"; then
        echo "printed otherwise: $1 $2"
    elif [ -e "$file/old" ] && ! cmp -s "$file/old" "$file/new"; then
        echo "another log: $1 $2"
    elif [ -e "$file/old" ]; then
        echo 'the same log'
    else
        echo 'the same message'
    fi
    rm -rf "$file"
}
export -f one
export old new work

inputs >"$work/inputs"
settings >"$work/settings"
# All inputs as they are, then the pairs in an order that is mixed and always the same.
{
    sed 's/^/\t/' "$work/inputs"
    while read -r setting; do
        [ -z "$setting" ] || sed "s/^/$setting\t/" "$work/inputs"
    done <"$work/settings" | awk '{ printf "%d\t%s\n", (NR * 7919) % 10007, $0 }' | sort -n | cut -f2-
} >"$work/all"
head -n "$wanted" "$work/all" | tr '\t\n' '\0\0' >"$work/runs"

xargs -0 -n 2 -P "$(getconf _NPROCESSORS_ONLN)" bash -c 'one "$0" "$1"' \
    <"$work/runs" >"$work/results"
grep -v '^the same' "$work/results" || true
printf 'compare_logs: %d runs: %d logs the same, %d messages the same, %d differ\n' \
    "$(wc -l <"$work/results")" "$(grep -c '^the same log' "$work/results" || true)" \
    "$(grep -c '^the same message' "$work/results" || true)" "$(grep -vc '^the same' "$work/results" || true)"
! grep -qv '^the same' "$work/results"
