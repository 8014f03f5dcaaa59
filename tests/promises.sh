#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints docs/quality.md: what gfe promises, with the test that holds each promise, from marks in the
# tests.  tests/test_promises.sh compares the page with this output.
#
# A mark is a comment of its own that begins with PROMISE or LIMIT and names an area:
#
#     /* PROMISE (engine): Events come by time, then by the unit's rank. */
#     START_TEST(events_come_out_by_time_then_unit_then_sequence)
#
# It stands right above its START_TEST.  Above the first #include of a file it is about all tests of
# the file; in a script it stands in the head and is about the whole script ("# PROMISE (live): ...",
# up to the next mark, an empty comment line or the first command).  A LIMIT is what is known not to
# hold.  The list of areas is below.  Exits with 1, after all messages, for a mark with an unknown
# area, a mark above no test, and a test that no suite or list of the build runs.
set -u
cd "${top_srcdir:-.}" || exit 1

areas='program   The program, its pages and its lists
live      Live runs
explore   Exploration, scrubbing and discrimination
debug     The debugger and inspection
faults    Faults and campaigns
sim       Simulations, scenarios and the C library
views     Pictures, tables and traces for viewers
analysis  Explanations, checks and summaries
replay    Replay
drivers   Driver, runtime and firmware models
nvidia    NVIDIA: Host and its engines
amd       AMD: queues, engines and blocks
core      What GPUs share
traces    Recording, imports and configurations
engine    The machine and its snapshots
log       The log, and the same log everywhere
base      Numbers, errors and files'

# Lines "area TAB kind TAB file TAB test TAB sentence" of all marks; test is "-" for a whole file.
marks()
{
    # shellcheck disable=SC2016 # awk's own variables
    awk '
    function wrong(text) { print FILENAME ":" FNR ": " text > "/dev/stderr"; failed = 1 }
    function note(test,   i) {
        for (i = 0; i < count; i++)
            print area[i] "\t" kind[i] "\t" FILENAME "\t" test "\t" sentence[i]
        if (test != "-" && count)
            wanted[test] = 1
        count = 0
    }
    function open_mark(text) {
        kind[count] = text ~ /^PROMISE/ ? "PROMISE" : "LIMIT"
        area[count] = text
        sub(/^[A-Z]+ \(/, "", area[count])
        sub(/\).*/, "", area[count])
        sub(/^[A-Z]+ \([^)]*\): */, "", text)
        sentence[count] = text
        inside = 1
    }
    function close_mark() {
        if (!inside)
            return
        if (sentence[count] !~ /[.]$/)
            wrong("a mark ends with a full stop")
        count++
        inside = 0
    }
    function end_of_file(   test) {
        if (count)
            wrong("a mark above no test")
        for (test in wanted)
            if (!(test in runs)) {
                print last ": " test " is in no test case" > "/dev/stderr"
                failed = 1
            }
        split("", wanted)
        split("", runs)
        count = inside = headed = 0
    }
    BEGIN { count = 0 }
    FNR == 1 { if (last) end_of_file(); last = FILENAME; script = FILENAME ~ /[.]sh$/ }

    script && !headed && /^# (PROMISE|LIMIT) \(/ { close_mark(); open_mark(substr($0, 3)); next }
    script && /^ *# *(PROMISE|LIMIT) \(/ && headed { wrong("a mark of a script stands in its head") }
    script && !headed && /^# / { if (inside) sentence[count] = sentence[count] " " substr($0, 3); next }
    script && !headed { close_mark(); if (!/^#/) { headed = 1; note("-") } }
    script { next }

    /^\/\* (PROMISE|LIMIT) \(/ {
        text = substr($0, 4)
        ends = sub(/ *\*\/$/, "", text)
        open_mark(text)
        if (ends)
            close_mark()
        next
    }
    inside {
        text = $0
        ends = sub(/ *\*\/$/, "", text)
        sub(/^ *\* */, "", text)
        if (text != "")
            sentence[count] = sentence[count] " " text
        if (ends)
            close_mark()
        next
    }
    /(PROMISE|LIMIT) \(/ { wrong("a mark is a comment of its own, at the beginning of a line") }
    /^START_TEST\(/ { test = $0; sub(/^START_TEST\(/, "", test); sub(/\).*/, "", test); note(test); next }
    /^#include/ { note("-"); next }
    {
        words = split($0, word, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= words; i++)
            runs[word[i]] = 1
        if (count && $0 != "")
            wrong("a mark above no test")
        if (count && $0 != "")
            count = 0
    }
    END { end_of_file(); exit failed }' "$@"
}

rows=$(mktemp) || exit 1
trap 'rm -f "$rows"' EXIT
status=0
marks tests/test_*.c tests/*_test.sh tests/same_log.sh tests/test_*.sh >"$rows" || status=1

# Each area has a title, and each script is in a list of the build.
known=" $(echo "$areas" | sed 's/ .*//' | tr '\n' ' ')"
# shellcheck disable=SC2013 # words
for area in $(cut -f 1 "$rows" | sort -u); do
    case $known in
    *" $area "*) ;;
    *) echo "no area of promises: $area" >&2; status=1 ;;
    esac
done
# shellcheck disable=SC2013 # words
for script in $(cut -f 3 "$rows" | grep '[.]sh$' | sort -u); do
    grep -qs "${script##*/}" Makefile.am tests/local.mk || {
        echo "$script is in no list of the build" >&2
        status=1
    }
done

cat <<'END'
# What holds

Each line is a promise of gfe with the test that holds it, ordered by the rooms of the house
([design.md](design.md)), from the program down. `make check` runs these tests.

This page is made by `tests/promises.sh` from marks in the tests. To change a line, change the mark above
its test and run `GFE_UPDATE_GOLDEN=1 tests/test_promises.sh`; a page that is stale fails the tests.

Results of long checks, fuzzing, random worlds and mutants are in [quality/](quality/README.md), figures of speed in
[bench/HISTORY.md](../bench/HISTORY.md).
END

# Prints one table of an area, or nothing.
table() # AREA KIND HEADING
{
    awk -F '\t' -v area="$1" -v kind="$2" -v heading="$3" '
    $1 == area && $2 == kind {
        if (!printed++)
            print "\n| " heading " | test |\n|---|---|"
        file = $3
        sub(/^tests\//, "", file)
        print "| " $5 " | `" file "`" ($4 == "-" ? "" : ": `" $4 "`") " |"
    }' "$rows"
}

echo "$areas" | while read -r area title; do
    printf '\n## %s\n' "$title"
    table "$area" PROMISE promise
    table "$area" LIMIT 'known limit'
done
exit "$status"
