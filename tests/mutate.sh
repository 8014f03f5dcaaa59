#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/mutate.sh [--seed S] [--number N] [--again] [--only PATTERN] BUILD [AREA...]
#        tests/mutate.sh --write BUILD [PAGE]
#        tests/mutate.sh --self-check
#
# Puts small faults (mutants) into the sources, one at a time, and runs the suites of the fault's area. A mutant that
# all suites pass has survived: a test is missing, or the mutant changes nothing that can be seen.
#
#   --seed S        another draw (1)
#   --number N      so many mutants of each area (30)
#   --again         try the survivors once more, after new tests
#   --only PATTERN  only mutants of files whose names match, without a number
#   --write         write a page (docs/quality/mutants.md) from what came out
#   --self-check    check the operators, the reasons and the page; needs no build
#
# Areas and their suites are in tests/mutate_areas.txt, what is known about survivors in tests/mutate_survivors.txt.
# tests/mutate.py has the operators. What came out is added to BUILD/mutate/results, so that a run may be ended and
# started again. A mutant whose optimised object is that of the original is equivalent and not counted (Papadakis et
# al., 2015: trivial compiler equivalence), nor is one that does not compile. Tests run at idle priority, with limits
# of time and memory; a test that runs into one has killed the mutant.
#
# The sources are not touched: BUILD/mutate/source is a copy of them, BUILD/mutate/build a build of the copy.
# tests/mutants.sh does another thing: it puts the same known faults into several builds of the CI.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
seed=1 number=30 again='' only='' write='' self=''
usage()
{
    sed -n '/^# usage/,/^#$/s/^# //p' "$0" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --seed | --number | --only)
        [ $# -ge 2 ] || usage
        case $1 in --seed) seed=$2 ;; --number) number=$2 ;; --only) only=$2 ;; esac
        shift
        ;;
    --again) again=yes ;;
    --write) write=yes ;;
    --self-check) self=yes ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
if [ -n "$self" ]; then
    (cd "$top" && find devices emu traces -name '*.c') | exec python3 "$top/tests/mutate_check.py" "$top"
    exit
fi
[ $# -ge 1 ] || usage
mkdir -p "$1/mutate"
folder=$(cd "$1/mutate" && pwd)
shift
if [ -n "$write" ]; then
    exec python3 "$top/tests/mutate_page.py" "$top" "$folder/results" "${1:-$top/docs/quality/mutants.md}"
fi
# shellcheck disable=SC2046 # names of areas are words
[ $# -gt 0 ] || set -- $(sed -n 's/^\([a-z]\{1,\}\)$/\1/p' "$top/tests/mutate_areas.txt")

# Only what differs is copied, so that only that is built again.
git -C "$top" ls-files >"$folder/names"
while read -r name; do
    if cmp -s "$top/$name" "$folder/source/$name"; then continue; fi
    mkdir -p "$folder/source/$(dirname "$name")"
    cp "$top/$name" "$folder/source/$name"
done <"$folder/names"
if [ ! -e "$folder/source/configure" ]; then (cd "$folder/source" && autoreconf -i >"$folder/make.log" 2>&1); fi
mkdir -p "$folder/build"
cd "$folder/build"
[ -e Makefile ] || ../source/configure -q CFLAGS='-g0 -O1 -w' ${CC:+CC="$CC"}
# The scripts of the area recorder run programs, and other variants of the library.
programs='gfe tests/check_all tests/snapshot_process libgfe-record.so'
case " $* " in
*' recorder '*) programs="$programs libgfe-record-broken.so libgfe-record-under.so clients tests/record_counts
    tests/trace_cat tests/peak_memory" ;;
esac
# shellcheck disable=SC2086 # names are words
nice -n 19 make -j"$(getconf _NPROCESSORS_ONLN)" $programs \
    >"$folder/make.log" 2>&1 || { tail -n 20 "$folder/make.log" >&2; exit 2; }
exec python3 "$top/tests/mutate_run.py" --source "$folder/source" --build "$folder/build" \
    --names "$folder/names" --areas "$top/tests/mutate_areas.txt" --results "$folder/results" --seed "$seed" --number "$number" \
    ${again:+--again} ${only:+--only "$only"} "$@"
