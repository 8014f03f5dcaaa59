#!/bin/sh
# SPDX-License-Identifier: MIT
# A run that ends with work left says so in its first lines and ends with status 3: a configuration
# of hip_plugin_framework, as text and JSON; what waits is what a lost event would have ended.
set -u
cd "${top_srcdir:-.}" || exit 1
gfe=${top_builddir:-$PWD}/gfe
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

fail() # WHAT
{
    printf '%s\n' "$1" >&2
    status=1
}

# --- gfe run of a configuration ---
"$gfe" run tests/rules/amd_pipe.json >"$scratch/whole" || fail 'a whole run fails'
grep -q 'work is left' "$scratch/whole" && fail 'a whole run leaves work'
for event in 40 100; do
    "$gfe" run --lose-event $event tests/rules/amd_pipe.json >"$scratch/out"
    code=$?
    "$gfe" run --json --lose-event $event tests/rules/amd_pipe.json >"$scratch/json"
    [ $? -eq $code ] || fail "event $event: text and JSON end differently"
    case $code in
    0) grep -q 'work is left' "$scratch/out" && fail "event $event: status 0, and work is left" ;;
    3)
        head -n 1 "$scratch/out" | grep -q '^  work is left: [0-9]* things* waits* for ever$' ||
            fail "event $event: the first line does not say so"
        grep -q '"open_waits": [1-9]' "$scratch/json" || fail "event $event: JSON does not count them"
        grep -q '"waiter": "' "$scratch/json" || fail "event $event: JSON does not name them"
        left=1
        ;;
    *) fail "event $event: status $code" ;;
    esac
done
[ "${left:-0}" -eq 1 ] || fail 'no lost event left anything'

"$gfe" run --lose-event 99999999 tests/golden/compute.gft >"$scratch/out" 2>&1
[ $? -eq 1 ] && grep -q 'lose-event 99999999: the run ends with event ' "$scratch/out" ||
    fail 'an event that the run does not come to is lost in silence'

# --- what is built on such a run ---
# Two submissions wait for semaphores that nobody releases.
"$gfe" import bus -o "$scratch/left.gft" tests/rules/nv_fe_acq.bus || fail 'no trace'
"$gfe" run "$scratch/left.gft" >"$scratch/out"
[ $? -eq 3 ] || fail 'gfe run of a program that waits for ever does not end with 3'
sed -n 2p "$scratch/out" | grep -q '^  work is left: ' || fail 'its second line does not say so'
"$gfe" inject --fault 'doorbell drop @#2' "$scratch/left.gft" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 3 ] || fail 'gfe inject above such a run does not end with 3'
sed -n 2p "$scratch/err" | grep -q '^  work is left: ' || fail 'gfe inject does not say what waits'
grep -q '^outcome ' "$scratch/out" || fail 'gfe inject does not say what came of the fault'
printf '{"programs": ["left.gft"], "exhaustive": true, "faults": [{"site": "doorbell", "models": ["drop"]}]}\n' \
    >"$scratch/plan.json"
"$gfe" campaign run --db "$scratch/db" "$scratch/plan.json" >/dev/null 2>"$scratch/err"
[ $? -eq 3 ] || fail 'gfe campaign above such a run does not end with 3'
grep -q 'left.gft: its run without faults ends with work left: ' "$scratch/err" ||
    fail 'gfe campaign does not say why'

# --- a runlist that leaves a suspended group out (tu104/dev_ram.ref.txt: not on a list, not scheduled) ---
{
    cat tests/golden/two_tasks.bus
    printf 'words 0x12a9000\n  07e8e009 00000000 00000002 00001254\nend\n3ms\n'
    printf 'NV_PFIFO_RUNLIST_BASE PTR=0x12a9\nNV_PFIFO_RUNLIST ID=0 LENGTH=2\n'
} >"$scratch/edited.bus"
"$gfe" import bus -o "$scratch/edited.gft" "$scratch/edited.bus" || fail 'no trace of the edited list'
slow='--param core.block_base_cycles=15000000'
# shellcheck disable=SC2086 # words
"$gfe" run $slow -o "$scratch/edited.gfl" "$scratch/edited.gft" >"$scratch/out"
[ $? -eq 3 ] || fail 'a suspended group that is on no list does not end with 3'
grep -q '^ *grid 1 waits, since 2.163 ms (B.R3)$' "$scratch/out" || fail "$(cat "$scratch/out")"
"$gfe" explain --rules "$scratch/edited.gfl" >"$scratch/out" || fail 'gfe explain'
"$gfe" explain "$scratch/edited.gfl" launch:1 >"$scratch/out" || fail 'gfe explain of the launch'
grep -q ' waits  *B.R3' "$scratch/out" || fail "explain blames another rule: $(cat "$scratch/out")"
! grep -q 'T\.P1' "$scratch/out" || fail 'explain blames the context switch'
"$gfe" check "$scratch/edited.gfl" >"$scratch/out"
[ $? -eq 1 ] || fail 'gfe check takes work that is left for good'
grep -q 'LIVE.*grid 1 waits for nothing for ever (B.R3)' "$scratch/out" || fail "$(cat "$scratch/out")"
# shellcheck disable=SC2086 # words
"$gfe" debug $slow --batch -e 'goto 11ms' -e why "$scratch/edited.gft" >"$scratch/out"
grep -q 'grid 1 waits (B.R3)' "$scratch/out" || fail "debug why: $(cat "$scratch/out")"

# --- a cycle of waits is called a deadlock and drawn: each channel acquires (NV.ACQ) what the other one
# would release behind its own acquire, as the words of left/deadlock.bus say ---
"$gfe" import bus -o "$scratch/deadlock.gft" tests/golden/left/deadlock.bus || fail 'no trace of a deadlock'
"$gfe" run "$scratch/deadlock.gft" >"$scratch/out"
[ $? -eq 3 ] || fail 'a deadlock does not end with 3'
sed -n '5,8s/, since [0-9.]* ms / /p; 5p; 8p' "$scratch/out" | grep -v since >"$scratch/drawn"
cat >"$scratch/expected" <<'END'
  a deadlock: each waits for the next one, the last for the first
  +-> channel 1 waits for semaphore at 0x1010a9000 (NV.ACQ)
  |   channel 2 waits for semaphore at 0x1010aa000 (NV.ACQ)
  '---'
END
diff "$scratch/expected" "$scratch/drawn" >&2 || fail 'the deadlock is not drawn'
"$gfe" run --json "$scratch/deadlock.gft" | tr -d ' \n' | grep -q '"deadlock":\[0,1\]' || fail 'JSON names no deadlock'

exit "$status"
