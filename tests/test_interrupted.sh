#!/bin/sh
# SPDX-License-Identifier: MIT
# What is left when a command is stopped, or a call of it fails, at any call that changes a file or
# a folder: nothing partial under the final name, nothing left behind, or a folder or database that
# goes on from there.  docs/quality/interrupted.md has the outcomes, and is compared.
#
# The calls are numbered by libgfe-fail (tests/fail_calls.c): the N-th call, N rising until a run does
# not reach it.  GFE_LONG=1 tries every N, but of the more than 200 calls that make the tree of a
# recording's folder every eighth; without it a few of them are tried, other ones in each cell.
# GFE_UPDATE_GOLDEN=1 (with GFE_LONG=1) writes the page.  Arguments are rows, instead of all.
#
# PROMISE (base): At any call of `gfe record`, `run -o`, `campaign run`, `scrub` or `import` that
# changes a file: killed, out of space, with an error of the disk, ended by SIGTERM or SIGHUP, or with
# TMPDIR gone, it leaves no part of a file under the final name and nothing else, or what
# `gfe record --recover` or the same campaign goes on with.
set -u
: "${top_srcdir:=.}" "${top_builddir:=.}" "${GFE_LONG:=}" "${GFE_UPDATE_GOLDEN:=}"
root=$(cd "$top_srcdir" && pwd)
build=$(cd "$top_builddir" && pwd)
gfe=$build/gfe
library=$build/libgfe-fail.so
page=$root/docs/quality/interrupted.md
[ -e "$library" ] || {
    echo 'skipped: libgfe-fail is not built (a build with sanitizers)'
    exit 77
}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/run" "$scratch/good"
cd "$scratch/run" || exit 1
TMPDIR=$scratch/tmp
export TMPDIR
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK GFE_FAIL GFE_FAIL_NAME
failures=0
runs=0

fail() # SENTENCE
{
    echo "FAILED: $row, $act at $number: $1 (status $status)"
    head -2 ../err
    failures=$((failures + 1))
}

# --- the rows: a command each, the file that it makes, and what a whole file is ---------------------

trace=$root/tests/golden/compute.gft
client=$build/tests/clients/kfd_procs
printf '%s\n' "{\"programs\": [\"$trace\"], \"samples\": 6," \
    ' "faults": [{"site": "gp_entry", "models": ["flip", "drop"]}]}' >"$scratch/plan.json"

row_begin() # ROW: sets `name` (in which program) and `output`
{
    name=gfe output=out
    case $1 in
    'record: the recorded process') name=kfd_procs ;;
    esac
}

command_run() # the row's command
{
    case $row in
    # shellcheck disable=SC2016 # $0 is the client
    record:*) "$@" "$gfe" record -q --gpu radeon-vii -o out -- \
        sh -c '"$0" kernels; status=$?; echo >../ran; exit $status' "$client" ;;
    'run -o') "$@" "$gfe" run -o out "$trace" ;;
    'run -o, over an old file') "$@" "$gfe" run -o out "$trace" ;;
    campaign) "$@" "$gfe" campaign run --db out "$scratch/plan.json" ;;
    scrub) "$@" "$gfe" scrub -o out "$trace" ;;
    import) "$@" "$gfe" import nvt -o out "$root/tests/fuzz/corpus/nvt/small.nvt" ;;
    esac
}

# Is `out` what the command makes?  A recording differs from run to run: it is read to its end.
is_whole()
{
    case $row in
    record:*) "$gfe" hash out >/dev/null 2>&1 ;;
    run*) [ "$("$gfe" hash out 2>&1)" = "$(cat ../good/hash)" ] ;;
    *) cmp -s out ../good/out ;;
    esac
}

# --- one run ------------------------------------------------------------------------------------------

fresh()
{
    rm -rf "$TMPDIR" "$TMPDIR.gone" ../run/* ../run/.gfe-* ../counts ../ran
    mkdir "$TMPDIR"
    [ "$row" != 'run -o, over an old file' ] || echo old >out
}

injected() # WORDS of GFE_FAIL
{
    # A shell that was started by nohup(1) ignores SIGHUP, and so would gfe.
    command_run env --default-signal=HUP LD_PRELOAD="$library" GFE_FAIL="$1" GFE_FAIL_NAME="$name" GFE_FAIL_COUNTS=../counts \
        >/dev/null 2>../err
}

changes() # how many calls that change files the last run made; nothing if it was ended
{
    cut -d ' ' -f 3 ../counts 2>/dev/null
}

# A folder of a recording: a trace can be made of it, or it has none; and it can be deleted.
kept_check()
{
    folder=$(echo "$TMPDIR"/gfe-record-*)
    "$gfe" record -q --recover "$folder" -o rest >said 2>&1 && "$gfe" hash rest >/dev/null 2>&1 ||
        grep -q 'nothing was recorded there\|not a directory that gfe record left' said ||
        fail "--recover: $(cat said)"
    # A folder without its lock is not taken for another's that is being made once it is old.
    [ ! -d "$folder" ] || touch -d '1 hour ago' "$folder"
    "$gfe" record -q --clean >said 2>&1 || fail "--clean: $(cat said)"
    rm -f rest said
}

# The same command again makes the rest, and the report is that of a campaign that was not stopped.
goes_on_check()
{
    command_run env >said 2>&1 || fail "it does not go on: $(cat said)"
    "$gfe" campaign report --as json out >said 2>&1 && cmp -s said ../good/report ||
        fail 'the report is another'
    rm -f out said
}

# The outcome in words, of a run that has ended with $status.
outcome_of()
{
    ending=ended
    [ $status -ge 128 ] || ending=refused
    [ $status != "$good_status" ] || ending=done
    # A recorded process that finds no GPU ends as it likes; that status is passed on.
    [ $ending != refused ] || [ $status = 1 ] || [ "$name" != gfe ] || fail 'an odd status'
    [ $ending != refused ] || [ "$(grep -c . ../err)" = 1 ] || fail "not one line: $(cat ../err)"
    [ ! -d "$TMPDIR.gone" ] || { rm -rf "$TMPDIR" && mv "$TMPDIR.gone" "$TMPDIR"; }
    file=none
    if [ -e out ]; then
        file=whole
        is_whole || file=part
        [ "$(cat out 2>/dev/null)" != old ] || file=none
    fi
    what=$ending
    if [ "$row" = campaign ]; then
        [ $ending = done ] || what="$ending, goes on"
        goes_on_check
    elif [ $file = part ]; then
        fail 'a part of a file under the final name'
    elif [ $ending != done ] && [ $file = whole ]; then
        what="$ending, whole"
        grep -q 'incomplete: ' ../err && what='incomplete, and says so'
    fi
    if [ -n "$(ls -A "$TMPDIR")" ]; then
        case $row in
        record:*)
            # A folder that was moved while it was being made cannot be deleted any more.
            [ $act = kill ] || grep -q -e '--recover' ../err ||
                { [ $act = vanish ] && grep -q gfe-record- ../err; } ||
                fail 'a folder is kept, and nothing says so'
            kept_check
            what="$what, recovered"
            ;;
        esac
    fi
    case "$name, $what" in
    'gfe, ended' | 'gfe, refused') [ ! -e ../ran ] || fail 'what was recorded is lost' ;;
    esac
    [ $act != kill ] || for left in .gfe-*.tmp; do
        [ ! -e "$left" ] || what="$what, beside it a whole .tmp"
        rm -f "$left"
    done
    rm -f out out-journal counts
    [ -z "$(ls -A .)" ] || fail "left behind: $(ls -A .)"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind in TMPDIR: $(ls -A "$TMPDIR")"
    [ -z "${VERBOSE:-}" ] || echo "$row, $act at $number: $what: $(cat ../err)"
    echo "$what" >>../outcomes
}

# --- a cell: an act at each call ------------------------------------------------------------------------

cell() # ACT STEP: prints the outcomes
{
    act=$1
    number=$(((cells * 7) % $2 + 1))
    : >../outcomes
    while :; do
        fresh
        injected "at $number $act"
        status=$?
        reached=$(changes)
        [ -z "$reached" ] || [ "$reached" -ge "$number" ] || break
        runs=$((runs + 1))
        outcome_of
        # Most calls of a recording make the tree of its folder: the last ones are looked at more closely.
        if [ "$2" -gt 2 ] && [ $((number + $2)) -ge $((count - last)) ]; then
            [ $number -ge $((count - last)) ] && number=$((number + fine)) ||
                number=$((count - last + cells % fine))
        else
            number=$((number + $2))
        fi
    done
    cells=$((cells + 1))
    LC_ALL=C sort -u ../outcomes >../cell
}

# Every outcome of the cell is on the page.
cell_compare() # ROW ACT
{
    grep -F -- "| $1 | $2 | " "$page" | sed -e 's/ |$//' -e 's/.* | //' -e 's/; /;/g' | tr ';' '\n' >../known
    while read -r what; do
        grep -qxF -- "$what" ../known || {
            echo "FAILED: docs/quality/interrupted.md does not have: $1, $2: $what"
            failures=$((failures + 1))
        }
    done <../cell
}

act_name()
{
    case $1 in
    kill) echo 'kill -9' ;;
    enospc) echo ENOSPC ;;
    eio) echo EIO ;;
    term) echo SIGTERM ;;
    hup) echo SIGHUP ;;
    vanish) echo 'TMPDIR is gone' ;;
    esac
}

cells=0
: >../table
[ $# -gt 0 ] || set -- 'record: gfe itself' 'record: the recorded process' 'run -o' 'run -o, over an old file' \
    campaign scrub import
for row; do
    row_begin "$row"
    act=none number=0
    fresh
    injected none
    good_status=$?
    count=$(changes)
    [ -n "$count" ] && [ "$count" -gt 0 ] || {
        status=$good_status
        fail 'the run without a failure has no calls'
        continue
    }
    status=$good_status
    case $row in
    record:* | import) [ "$(stat -c %a out)" = 600 ] || fail 'others than its owner may read the trace' ;;
    esac
    rm -rf ../good
    mkdir ../good
    cp out ../good/out
    case $row in
    run*) "$gfe" hash out >../good/hash ;;
    campaign) "$gfe" campaign report --as json out >../good/report ;;
    esac
    step=$((count / 2 + 1)) last=4 fine=2
    ends='term'
    [ $((cells % 2)) -eq 0 ] || ends='hup'
    if [ -n "$GFE_LONG" ]; then
        ends='term hup'
        step=1 last=30 fine=1
        [ "$count" -lt 100 ] || step=8
    fi
    for act in kill enospc eio $ends vanish; do
        cell $act $step
        [ -n "$GFE_UPDATE_GOLDEN" ] || cell_compare "$row" "$(act_name $act)"
        echo "| $row | $(act_name $act) | $(sed -e 's/$/;/' ../cell | tr '\n' ' ' | sed -e 's/; $//') |" >>../table
    done
done
cat ../table

if [ -n "$GFE_UPDATE_GOLDEN" ] && [ -n "$GFE_LONG" ]; then
    sed '/^|/,$d' "$page" >../new
    {
        echo '| command | what happens | outcomes |'
        echo '|---|---|---|'
        cat ../table
    } >>../new
    cp ../new "$page"
fi
echo "$runs runs, $failures failed"
[ $failures = 0 ]
