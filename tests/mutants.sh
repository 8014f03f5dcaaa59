#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: tests/mutants.sh BUILD [NUMBER...]
#
# Puts the faults of tests/mutants.txt into the sources, one at a time, builds tests/check_all of a
# build directory, and runs the suites of the fault's area twice: as before the CI was made shorter
# (GFE_LONG=1), and as .ci/run does, where suites that .ci/tests calls slow are left out with FAST=1.
# Prints a row for each: number, file, long, short; each is killed (with the tests that fail), lived,
# or no build. Run it in a clone of its own: it changes the sources, and gives them back at the end.
set -u
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
cd "$top" || exit 2
[ -z "$(git status --porcelain -uno)" ] || { echo 'mutants: the sources are changed already' >&2; exit 2; }
export top_srcdir=$top top_builddir=$build CK_DEFAULT_TIMEOUT=20
work=$(mktemp -d)
file=
give_back() { [ -z "$file" ] || cp "$work/whole" "$file"; }
trap 'give_back; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# Runs suites; says how many of their tests failed.
run() # SUITE...
{
    [ $# -gt 0 ] || { echo 'not run'; return; }
    (cd "$build" && timeout 240 tests/check_all "$@") >"$work/out" 2>&1
    local status=$? failed
    failed=$(grep -cE '^[^ ]+:[0-9]+:[FE]:' "$work/out")
    if [ $status = 0 ]; then
        echo lived
    elif [ "$failed" -gt 0 ]; then
        echo "killed by $failed"
    else
        echo "killed (status $status)"
    fi
}

number=0
while IFS='|' read -r name suites change; do
    number=$((number + 1))
    [ $# -eq 0 ] || case " $* " in *" $number "*) ;; *) continue ;; esac
    file=${name% }
    cp -p "$file" "$work/whole"
    sed "${change# }" "$work/whole" >"$file"
    if cmp -s "$work/whole" "$file"; then
        echo "$number | $file | changes nothing |"
        continue
    fi
    if ! make -C "$build" tests/check_all >"$work/make" 2>&1; then
        echo "$number | $file | no build |"
        give_back
        continue
    fi
    read -r -a long <<<"$suites"
    short=()
    for suite in "${long[@]}"; do
        case "${FAST:+ $(.ci/list-tests --slow) }" in
        *" $suite "*) ;;
        *) short+=("$suite") ;;
        esac
    done
    echo "$number | $file | $(GFE_LONG=1 run "${long[@]}") | $(run ${short[@]+"${short[@]}"})"
    give_back
    touch "$file" # newer than its object
done < <(grep -v '^#' tests/mutants.txt)
file=
make -C "$build" tests/check_all >/dev/null 2>&1
