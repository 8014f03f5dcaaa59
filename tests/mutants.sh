#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: tests/mutants.sh [-n NUMBERS] [CONFIGURATION=]BUILD...
#
# Puts the faults of tests/mutants.txt into the sources, one at a time. In each build folder it then
# builds tests/check_all, and runs the suites of the fault's area, in full (GFE_LONG=1) and, if they
# have loops that the CI runs in part, also in part.
#
# CONFIGURATION is a column of .ci/tests, whose CI runs what that column says of check_all: each, fast
# or nothing. A build without one belongs to an earlier list of configurations and not to the CI.
#
#   tests/mutants.sh chroot=b-gcc-O3 b-gcc-O1 clang=b-clang-O3 sanitizers=b-san
#
# Prints a table in Markdown: a row for each fault, a column for each build. A cell says how many
# tests failed, `lived`, or `time` for suites that ran into a limit of time (Check does not say how
# many of their tests had failed by then); two of these are in full and in part. The last two columns
# say whether any build killed the fault, in full and as the CI runs it. Ends with status 1 if these
# two differ for a fault.
#
# A test may use TEST_LIMIT seconds of CPU time (60), and the suites of a fault SUITES_LIMIT seconds
# (300); both times eight for suites with such loops. To show that tests without a fault need less, the
# suites of each area run without one first; that is number 0. The CI would end such a test, too:
# Check kills it after 120 s, or after what its case says. Two builds work at a time. Run this in a
# clone of its own: it changes the sources, and gives them back at the end.
set -u
numbers=
if [ "${1-}" = -n ]; then numbers=" $2 " && shift 2; fi
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
test_limit=${TEST_LIMIT:-60} suites_limit=${SUITES_LIMIT:-300}
top=$(cd "$(dirname "$0")/.." && pwd)
builds=() configurations=()
for argument; do
    folder=${argument#*=}
    builds+=("$(cd "$folder" && pwd)") || exit 2
    case $argument in *=*) configurations+=("${argument%%=*}") ;; *) configurations+=('') ;; esac
done
cd "$top" || exit 2
[ -z "$(git status --porcelain -uno)" ] || { echo 'mutants: the sources are changed already' >&2; exit 2; }
slow=" $(.ci/list-tests --slow) " || exit 2
export top_srcdir=$top
work=$(mktemp -d)
file=
give_back() { [ -z "$file" ] || cp "$work/whole" "$file"; }
trap 'give_back; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# yes, each, fast or - for check_all in a configuration; - if it is none.
ci_runs() # CONFIGURATION
{
    # shellcheck disable=SC2016 # for awk
    awk -v name="$1" '$2 == "test" { for (i = 3; i <= NF; i++) if ($i == name) column = i - 1 }
        $1 == "check_all" { how = $column } END { print column ? how : "-" }' .ci/tests
}

# Succeeds if a suite has a loop that GFE_LONG=1 makes longer.
has_loops() # SUITE...
{
    local suite
    for suite; do
        if grep -q 'check_long(\|GFE_LONG' "tests/test_$suite.c"; then return 0; fi
    done
    return 1
}

# Waits for a process whose children may use so many seconds of CPU time.
wait_for() # PID SECONDS
{
    local stat ticks
    ticks=$(($2 * $(getconf CLK_TCK)))
    while sleep 0.2 && read -r -a stat 2>/dev/null <"/proc/$1/stat"; do
        if [ $((stat[15] + stat[16])) -ge $ticks ]; then
            kill "$1" 2>/dev/null
            wait "$1"
            return 124
        fi
    done
    wait "$1"
}

# Runs suites in a build; says how many of their tests failed.
run() # BUILD SUITE...
{
    local build=$1 status=0 failed times=1 out=$work/out.$BASHPID
    shift
    if has_loops "$@"; then times=8; fi
    (
        cd "$build" || exit 2
        ulimit -S -t $((times * test_limit))
        ulimit -c 0
        export top_builddir=$build
        exec setsid tests/check_all "$@" # Check ends its process group
    ) >"$out" 2>&1 &
    wait_for $! $((times * suites_limit)) || status=$?
    failed=$(grep -cE '^[^ ]+:[0-9]+:[FE]:' "$out")
    # 24: SIGXCPU.
    if [ $status = 124 ] || { [ "$failed" -gt 0 ] && ! grep -E '^[^ ]+:[0-9]+:[FE]:' "$out" |
        grep -qvE 'Test timeout expired|signal 24 '; }; then
        echo time
    elif [ $status = 0 ]; then
        echo lived
    elif [ "$failed" -gt 0 ]; then
        echo "$failed"
    else
        echo "status $status"
    fi
    rm -f "$out"
}

# Builds with the fault, if there is one, and runs suites: one line, in full, and one as the CI does.
try() # INDEX SUITE...
{
    local index=$1 build=${builds[$1]} how suite full part ci=()
    shift
    if ! make -C "$build" tests/check_all >"$work/make.$index" 2>&1; then
        printf 'no build\nno build\n' >"$work/result.$index"
        return
    fi
    how=$(ci_runs "${configurations[$index]}")
    for suite; do
        case $how-$slow in
        --*) ;;
        fast-*" $suite "*) ;;
        *) ci+=("$suite") ;;
        esac
    done
    full=$(GFE_LONG=1 run "$build" "$@")
    part=$full
    if [ ${#ci[@]} -eq 0 ]; then
        part='not run'
    elif [ ${#ci[@]} -lt $# ] || has_loops "${ci[@]}"; then
        part=$(run "$build" "${ci[@]}")
    fi
    printf '%s\n%s\n' "$full" "$part" >"$work/result.$index"
}

is_killed() { case $1 in lived | 'not run' | 'no build') return 1 ;; esac; }

# The row of a fault, from what the builds said.
row() # NUMBER FILE SUITE...
{
    local number=$1 name=$2 cells='' full part index in_full=lived in_ci=lived
    shift 2
    for index in "${!builds[@]}"; do
        { read -r full && read -r part; } <"$work/result.$index"
        if is_killed "$full"; then in_full=killed; fi
        if [ -n "${configurations[$index]}" ] && is_killed "$part"; then in_ci=killed; fi
        if [ "$full" = "$part" ] || [ -z "${configurations[$index]}" ]; then
            cells+=" $full |"
        else
            cells+=" $full, $part |"
        fi
    done
    echo "| $number | \`$name\` | $* |$cells $in_full | $in_ci |"
    [ $in_full = $in_ci ] || differ=1
}

# All builds, two at a time.
try_all() # SUITE...
{
    local index
    for index in "${!builds[@]}"; do
        [ "$index" -lt 2 ] || wait -n
        try "$index" "$@" </dev/null &
    done
    wait
}

case ${numbers:- 0 } in
*" 0 "*)
    while read -r -a suites; do
        try_all "${suites[@]}"
        if grep -vx 'lived\|not run' "$work"/result.* >&2; then
            echo "mutants: ${suites[*]}: fail, or run into a limit, without a fault" >&2
            exit 2
        fi
    done < <(grep -v '^#' tests/mutants.txt | cut -d '|' -f 2 | sort -u)
    ;;
esac
differ=0 number=0
printf '| | fault in | suites |'
for argument; do printf ' %s |' "$(basename "${argument#*=}")"; done
printf ' in full | in CI |\n|---|---|---|'
for argument; do printf -- '---|'; done
printf -- '---|---|\n'
while IFS='|' read -r name suites change; do
    number=$((number + 1))
    case ${numbers:-" $number "} in *" $number "*) ;; *) continue ;; esac
    file=${name% }
    read -r -a suites <<<"$suites"
    cp -p "$file" "$work/whole"
    sed "${change# }" "$work/whole" >"$file"
    if cmp -s "$work/whole" "$file"; then
        echo "| $number | \`$file\` | changes nothing |"
        differ=1
        continue
    fi
    try_all "${suites[@]}"
    row "$number" "$file" "${suites[@]}"
    give_back
    touch "$file" # newer than its object
done < <(grep -v '^#' tests/mutants.txt)
file=
for build in "${builds[@]}"; do make -C "$build" tests/check_all >/dev/null 2>&1; done
exit $differ
