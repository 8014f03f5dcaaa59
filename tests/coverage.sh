#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/coverage.sh [--lines] [--no-run] BUILD [AREA [TEST...]]
#
# Prints for each file of an area of tests/mutate_areas.txt (recorder) how many of its branches were taken at least
# once by the area's suites and scripts, or by the tests that are named: NAME is a suite of tests/check_all,
# tests/test_NAME.sh a script.
#
#   --lines   also the lines with branches that were never taken
#   --no-run  prints again what the last run came to
#
# BUILD is made by this script: all is compiled with -O1, the files of the area then anew with -O0 and gcov's counters.
# A file that is in several programs (gfe, the libraries that are preloaded) counts once: a branch is taken if any of
# them took it. What a process counted is lost when a signal kills it. A program in a sandbox cannot write its counts
# and says so on standard error: scripts that look at it fail here, and their counts stand.
# RECORD_COVERAGE: traces/record/record_exit.c. -std=gnu11: gcov's library sees fork() and exec() only with it.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
lines='' run=yes
while [ $# -gt 0 ]; do
    case $1 in
    --lines) lines=--lines ;;
    --no-run) run='' ;;
    -*) sed -n '/^# usage/,/^#$/s/^# //p' "$0" >&2; exit 2 ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 1 ] || { sed -n '/^# usage/,/^#$/s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
area=recorder
[ $# -eq 0 ] || { area=$1; shift; }
python3 "$top/tests/coverage.py" --files "$top" "$area" >"$build/coverage.files"
[ $# -gt 0 ] || { python3 "$top/tests/coverage.py" --tests "$top" "$area" >"$build/coverage.tests"; }
if [ $# -eq 0 ] && [ "$area" = recorder ]; then # too slow for each mutant
    printf 'tests/test_%s.sh\n' live live_gl >>"$build/coverage.tests"
fi
[ $# -eq 0 ] || printf '%s\n' "$@" >"$build/coverage.tests"

programs='gfe tests/check_all libgfe-record.so libgfe-live.so libgfe-record-broken.so libgfe-record-under.so clients'
programs="$programs tests/record_counts tests/trace_cat tests/peak_memory"
cd "$build"
if [ -n "$run" ]; then
    [ -e Makefile ] || "$top/configure" -q CFLAGS='-g -O1' ${CC:+CC="$CC"}
    if [ ! -e coverage.made ]; then # what is not of the area needs no counters
        # shellcheck disable=SC2086 # names are words
        make -j"$(getconf _NPROCESSORS_ONLN)" $programs >coverage.log 2>&1 || { tail -n 20 coverage.log >&2; exit 2; }
        while read -r name; do
            folder=$(dirname "$name") stem=$(basename "$name" .c)
            find "$folder" -maxdepth 1 \( -name "$stem.o" -o -name "*-$stem.o" \) -delete
        done <coverage.files
        : >coverage.made
    fi
    # shellcheck disable=SC2086
    make -j"$(getconf _NPROCESSORS_ONLN)" CFLAGS='-g -O0 -std=gnu11 --coverage -DRECORD_COVERAGE' $programs >coverage.log 2>&1 ||
        { tail -n 20 coverage.log >&2; exit 2; }
    find . -name '*.gcda' -exec rm -f {} +
    top_srcdir=$top top_builddir=$build
    export top_srcdir top_builddir
    while read -r name; do
        case $name in
        *.sh) sh "$top/$name" >coverage.out 2>&1 </dev/null || echo "coverage: $name: status $?" >&2 ;;
        *) CK_VERBOSITY=minimal tests/check_all "$name" >coverage.out 2>&1 </dev/null ||
            echo "coverage: suite $name: status $?" >&2 ;;
        esac
    done <coverage.tests
fi
exec python3 "$top/tests/coverage.py" $lines --table "$top" "$build" coverage.files
