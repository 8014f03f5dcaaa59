#!/bin/sh
# SPDX-License-Identifier: MIT
# The table that tests/fuzz/run.sh --record adds to: counts, edges, rates and the commit of the build. The targets are
# scripts that print what libFuzzer prints; the numbers are theirs.
set -u
# shellcheck disable=SC2154 # set by make
top=$(cd "$top_srcdir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$work/build
run=$top/tests/fuzz/run.sh
fail() # WORDS
{
    echo "test_fuzz_run: $*"
    [ ! -e "$work/out" ] || cat "$work/out"
    exit 1
}

target() # NAME EXECUTIONS EDGES [STATUS]
{
    printf '%s\n' '#!/bin/sh' \
        "echo '#9	INITED cov: 5 ft: 9'" "echo '#99	DONE   cov: $3 ft: 19'" \
        "echo 'stat::number_of_executed_units: $2'" "exit ${4-0}" >"$build/tests/fuzz/fuzz_$1"
    chmod +x "$build/tests/fuzz/fuzz_$1"
    touch -t 202001010000 "$build/tests/fuzz/fuzz_$1" # older than the stamp
}

row() # NAME
{
    sed -n "s/^| \`$1\` | //p" "$work/page.md"
}

mkdir -p "$build/tests/fuzz"
touch "$build/tests/fuzz/names.dict"
printf '%s\n' '# Page' '' '| target | executions | rate | edges | commit |' '|---|---|---|---|---|' \
    '| `examiner` | 5 | 1 | 400 | before |' '| `plan` | 0 | 0 | 0 | none |' '' 'The end.' >"$work/page.md"
cp "$work/page.md" "$work/page.before"
target plan 1000 193
target examiner 70 366

# Refused: a build that does not say what it was built of, has changes, is of no commit, or is newer.
refused() # WORDS
{
    "$run" --seconds 1 --record "$work/page.md" "$build" plan >"$work/out" 2>&1 && fail "not refused: $1"
    grep -q "$1" "$work/out" || fail "does not say: $1"
    cmp -s "$work/page.md" "$work/page.before" || fail "refused and recorded: $1"
}
refused 'make fuzz has not said of which commit'
printf '%s\n' 0123456789ab 'and changes that are not committed' >"$build/tests/fuzz/built-of"
refused 'of 0123456789ab and changes that are not committed'
echo 'no commit' >"$build/tests/fuzz/built-of"
refused 'its targets are of no commit'
echo 0123456789ab >"$build/tests/fuzz/built-of"
touch -t 203001010000 "$build/tests/fuzz/fuzz_plan"
refused 'fuzz_plan is newer than the last make fuzz'

# Executions add up; the most edges stay; the commit is the build's. A failed target adds nothing.
target plan 1000 193
"$run" --seconds 1 --record "$work/page.md" "$build" plan examiner >"$work/out" 2>&1 || fail 'the first run failed'
target plan 234 150
"$run" --seconds 1 --record "$work/page.md" "$build" plan >"$work/out" 2>&1 || fail 'the second run failed'
target plan 9000 999 1
"$run" --seconds 1 --record "$work/page.md" "$build" plan >"$work/out" 2>&1 && fail 'a finding is no failure'
case $(row plan) in
'1234 | '*' | 193 | 0123456789ab |') ;;
*) fail "the row of plan: $(row plan)" ;;
esac
case $(row examiner) in
'75 | '*' | 400 | 0123456789ab |') ;;
*) fail "the row of examiner: $(row examiner)" ;;
esac
[ "$(tail -n 1 "$work/page.md")" = 'The end.' ] || fail 'the end of the page is lost'

# A target without a row gets one, at the end of the table.
target trace 40 8
touch "$build/tests/fuzz/records.dict"
printf '#!/bin/sh\nfor last; do :; done; touch "$last/replay/a"\n' >"$build/tests/fuzz/fuzz_seeds"
chmod +x "$build/tests/fuzz/fuzz_seeds"
"$run" --seconds 1 --record "$work/page.md" "$build" trace >"$work/out" 2>&1 || fail 'the run of trace failed'
case $(row trace) in
'40 | '*' | 8 | 0123456789ab |') ;;
*) fail "the row of trace: $(row trace)" ;;
esac

# What --stamp notes: the commit of the sources, and whether they have changes.
command -v git >/dev/null 2>&1 || exit 0
tree=$work/tree
mkdir -p "$tree/tests/fuzz/corpus/plan" "$tree/docs"
cp "$run" "$tree/tests/fuzz"
echo one >"$tree/tests/fuzz/corpus/plan/a"
echo one >"$tree/docs/page.md"
git -C "$tree" init -q && git -C "$tree" add . &&
    git -C "$tree" -c user.name=a -c user.email=a@b.invalid commit -q -m one || fail 'no git tree'
stamped() # EXPECTED-LINES
{
    "$tree/tests/fuzz/run.sh" --stamp "$build" || fail 'no stamp'
    [ "$(head -n 1 "$build/tests/fuzz/built-of")" = "$(git -C "$tree" rev-parse --short=12 HEAD)" ] ||
        fail 'another commit'
    [ "$(wc -l <"$build/tests/fuzz/built-of")" -eq "$1" ] || fail "stamp: $(cat "$build/tests/fuzz/built-of")"
}
stamped 1
echo two >"$tree/docs/page.md"
echo two >"$tree/tests/fuzz/corpus/plan/a"
stamped 1 # neither is built
echo '# two' >>"$tree/tests/fuzz/run.sh"
stamped 2
