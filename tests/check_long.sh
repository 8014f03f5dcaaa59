#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/check_long.sh [--write] BUILD [PART...]
#
# Runs what make check and the CI run in part in its full length, and prints a table. Parts:
#
#   tests     make check with GFE_LONG=1: all places of snapshots, 20 kills, ...
#   failures  every eleventh allocation of every command fails, at each command another one of the eleven
#   hip       a HIP program of eight threads, 200 times
#   same_log  1,000 replays of each recorded program; gcc and clang, -O0 to -O3
#   clients   all programs of piglit
#   fuzz      10 s for each target, or as many as GFE_FUZZ_SECONDS says
#   mutants   32 mutants of each area, drawn by tests/mutate.sh; the page docs/mutants.md
#
# --write puts the table into docs/check-long.md, as the results of make check-long, and adds the executions of fuzz to
# docs/fuzzing.md. Parts may run one by one: a row stays until its part runs again. A part without its tools is skipped. What the parts print is in BUILD/check-long.
# shellcheck disable=SC2317 # parts are called by name
set -u
write=
if [ "${1-}" = --write ]; then
    write=yes
    shift
fi
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
parts='tests failures hip same_log clients fuzz mutants'
# shellcheck disable=SC2086 # names are words
[ $# -gt 0 ] || set -- $parts
top_srcdir=$top top_builddir=$build
export top_srcdir top_builddir
jobs=$(getconf _NPROCESSORS_ONLN)
logs=$build/check-long
mkdir -p "$logs"
status=0

part_tests()
{
    GFE_LONG=1 make -C "$build" -j"$jobs" check VERBOSE=1 ||
        return 1
    cat "$build/tests/check_all.log"
}
count_tests()
{
    sed -n 's/^[0-9]*%: Checks: \([0-9]*\), .*/\1 tests of suites/p' "$1" | head -n 1
    sed -n 's/^# PASS: *\([0-9]*\)$/\1 programs pass/p; s/^# SKIP: *\([0-9]*\)$/\1 skipped/p' "$1"
}

part_failures()
{
    CHECK_EVERY=11 sh "$top/tests/test_failures.sh"
}
count_failures()
{
    awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^runs/) sum += $(i - 1) } END { if (sum) print sum " runs" }' "$1"
}

part_hip()
{
    GFE_RUNS=200 sh "$top/tests/test_record_kfd_runs.sh"
}
count_hip()
{
    sed -n 's/^\([0-9]* runs\) of 8 threads.*, \([0-9]* doorbells: [0-9]* failed\).*/\1, \2/p' "$1"
}

part_same_log()
{
    [ -x "$build/tests/clients/gl_clear" ] || return 77
    JOBS=$jobs "$top/tests/build_variants.sh" "$logs/variants" || return 1
    for client in gl_clear gl_compute gl_triangle gl_upload; do
        trace=$logs/$client.gft
        "$build/gfe" record --gpu gtx1060 -o "$trace" -- "$build/tests/clients/$client" || return 1
        "$top/tests/same_log.sh" "$trace" "$build/gfe" "$logs"/variants/gfe-* || return 1
    done
}
count_same_log()
{
    sed -n 's/^same_log: [^:]*: \([0-9]* runs and [0-9]* other builds\).*/\1/p' "$1" | sort | uniq -c |
        sed 's/^ *\([0-9]*\) /\1 programs: /'
}

part_clients()
{
    GFE_LONG=1 "$top/tests/clients_test.sh" -j "$jobs" "$build"
}
count_clients()
{
    sed -n 's/^clients_test: \([0-9]* programs.*\)/\1/p' "$1"
}

part_fuzz()
{
    command -v clang >/dev/null 2>&1 || return 77
    mkdir -p "$logs/fuzz"
    cd "$logs/fuzz" || return 1
    [ -e Makefile ] || "$top/configure" -q --enable-fuzzing CC=clang CFLAGS='-gline-tables-only -O2' || return 1
    make -j"$jobs" fuzz || return 1
    "$top/tests/fuzz/run.sh" --seconds "${GFE_FUZZ_SECONDS:-10}" --jobs "$jobs" \
        ${write:+--record "$top/docs/fuzzing.md"} .
}
count_fuzz()
{
    awk '/^fuzz: / { n++; sum += $3 } END { if (n) print n " targets, " sum " executions" }' "$1"
}

part_mutants()
{
    command -v python3 >/dev/null 2>&1 || return 77
    "$top/tests/mutate.sh" --number 32 "$logs" || return 1
    "$top/tests/mutate.sh" --write "$logs" "$logs/mutants.md"
}
count_mutants()
{
    awk '$3 == "killed" || $3 == "time" || $3 == "lived" { n++; lived += $3 == "lived" }
        END { if (n) print n " mutants, " lived " lived" }' "$1"
}

# The commit by its subject: a rebase changes its number.
commit=$(git -C "$top" log -1 --format='%s (%cs)' 2>/dev/null || echo unknown)
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
for name; do
    printf '== %s\n' "$name"
    rm -f "$logs/$name.row"
    start=$(date +%s)
    code=0
    (part_"$name") >"$logs/$name.log" 2>&1 </dev/null || code=$?
    seconds=$(($(date +%s) - start))
    case $code in
    0) result=passed ;;
    77) result=skipped ;;
    *) result=FAILED status=1 ;;
    esac
    counts=$(count_"$name" "$logs/$name.log" | tr '\n' ',' | sed 's/,$//; s/,/, /g')
    printf '| %s | %s | %s | %s | %s |\n' "$name" "$result" "$seconds" "$counts" "$commit" \
        >"$logs/$name.row"
    printf '%s after %d s: %s\n' "$result" "$seconds" "$counts"
done

# Parts that ran before keep their rows, with the commit that they ran on.
{
    printf 'Machine: %s processors, %s; load %s at the end\n\n' "$jobs" "${model:-unknown}" \
        "$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null)"
    printf '| part | result | seconds | counts | commit |\n|---|---|---|---|---|\n'
    for name in $parts; do
        if [ -e "$logs/$name.row" ]; then cat "$logs/$name.row"; fi
    done
} >"$logs/result.md"
cat "$logs/result.md"
if [ -n "$write" ]; then
    awk -v file="$logs/result.md" '
        within && /^## / { within = 0 }
        !within
        /^## Results of `make check-long`$/ {
            within = 1
            print ""
            while ((getline line <file) > 0)
                print line
            print ""
        }
    ' "$top/docs/check-long.md" >"$logs/page" && cp "$logs/page" "$top/docs/check-long.md"
fi
exit $status
