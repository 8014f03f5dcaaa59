#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe check accepts the log of every golden recording and register-level input, says of what it has
# looked at that much, and tells of violations: against a GPU that has less, the same log breaks rules.
#
# PROMISE (analysis): The logs of all golden recordings and register-level inputs obey the rules.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
golden=$(cd "$top_srcdir" && pwd)/tests/golden
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
logs=0

fail()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

for bus in "$golden"/*.bus; do
    "$gfe" import bus "$bus" -o "$(basename "$bus").gft" 2>error || fail "import: $(cat error)"
done
# More blocks than the SMs hold, of two tasks.
sed 's/00000009 00000001 00000001 00000000/00000100 00000001 00000001 00000000/' \
    "$golden/two_tasks.bus" >crowd.bus
"$gfe" import bus crowd.bus -o crowd.bus.gft || fail 'import of the crowd'
# Once with the default cost of blocks, once with blocks of many timeslices.
for trace in "$golden"/*.gft ./*.gft; do
    name=$(basename "$trace")
    "$gfe" run -o "$name.gfl" "$trace" >/dev/null 2>error || fail "run: $(cat error)"
    "$gfe" run --param core.block_warp_cycles=2000000 -o "$name.long.gfl" "$trace" >/dev/null 2>error ||
        fail "run with long blocks: $(cat error)"
    logs=$((logs + 2))
done
for name in fig6 two_tasks crowd; do
    "$gfe" show --as events "$name.bus.gft.long.gfl" | grep -q GRID_SUSPEND ||
        fail "$name: nothing is suspended, so the check of that says nothing"
done
[ "$logs" -ge 30 ] || fail "only $logs logs were made"
"$gfe" check ./*.gfl >text 2>error || fail "a log is rejected: $(head -5 text error)"
[ "$(grep -c ': obeys the rules: ' text)" -eq "$logs" ] || fail "not every log has its line: $(cat text)"
grep -q '^./compute.gft.gfl: obeys the rules: [0-9]* events, 2 kernels, [1-9][0-9]* blocks, [0-9]* copies$' text ||
    fail "the line of compute.gft: $(grep compute text)"

# Another GPU's limits: the yardstick is that GPU, so blocks lie on SMs that it has not.
"$gfe" check --gpu tx2 compute.gft.gfl >text 2>error && fail 'SMs that are not there are accepted'
grep -q '^compute.gft.gfl: LOG: the GPU has 2 SMs' text || fail "no word of the SMs: $(head -3 text)"
grep -q '^compute.gft.gfl: violates them [1-9]' text || fail "no sum: $(tail -1 text)"
[ "$("$gfe" check --top 1 --gpu tx2 compute.gft.gfl | grep -c 'LOG: ')" -eq 1 ] || fail '--top 1 prints more than one'
"$gfe" check --json --gpu tx2 compute.gft.gfl >json
grep -q '"rule": "LOG"' json || fail "no rule in the JSON: $(head -20 json)"

# A bad log does not keep the others from being checked.
head -c 2000 compute.gft.gfl >cut.gfl
"$gfe" check cut.gfl compute.gft.gfl >text 2>error
[ $? -eq 1 ] || fail 'a damaged log: not status 1'
grep -q cut.gfl error || fail "no message: $(cat error)"
grep -q '^compute.gft.gfl: obeys' text || fail 'the log behind a damaged one is not checked'
"$gfe" check --gpu nosuch compute.gft.gfl >text 2>error
[ $? -eq 2 ] || fail 'an unknown GPU: not status 2'
"$gfe" check >text 2>error
[ $? -eq 2 ] || fail 'no log: not status 2'

[ "$failures" -eq 0 ] || exit 1
echo "$logs logs"
