#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe inject as a user has it: each class of outcome reached, text and JSON that say the same, the
# log of the run with faults, and what is refused.  What each site does: test_nv_inject.c.
#
# PROMISE (faults): `gfe inject` prints the outcome, what detected the fault first, and the
# victims.

top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
gfe=$(cd "$top_builddir" && pwd)/gfe
golden=$(cd "$top_srcdir" && pwd)/tests/golden
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "FAILED: $*"; failed=1; }
failed=0

# OUTCOME FAULT [OPTION...] PROGRAM
expect() {
    outcome=$1 fault=$2
    shift 2
    "$gfe" inject --fault "$fault" "$@" >said 2>err || fail "$fault: $(cat err)"
    grep -qx "outcome    $outcome" said || fail "$fault: $(cat said)"
    "$gfe" inject --json --fault "$fault" "$@" >said.json 2>err || fail "$fault: $(cat err)"
    grep -q "\"outcome\": \"${outcome%%,*}\"" said.json || fail "$fault: $(cat said.json)"
}
compute=$golden/compute.gft
expect Masked 'doorbell drop' "$compute"
expect SDC-timing 'release delay=50us @#2' "$compute"
expect Masked 'release delay=50us @#2' --late 60us "$compute"
expect SDC-data 'release.payload flip=3 @#4' "$compute"
expect 'Hang, also Detected' 'header.count flip=1 @#3' "$compute"
grep -q '^detected   by NV_PBDMA_INTR, .* after it acted; not recovered$' said ||
    fail "who detected it: $(cat said)"
expect Hang 'grid_end drop' "$compute"
# How far it has come, unit by unit: the release, the program that waits for its value, what it does then.
"$gfe" inject --fault 'release delay=50us @#2' "$compute" >said 2>err || fail "$(cat err)"
grep -q '^wake       169 of 331 events are as without it; in each unit first$' said ||
    fail "no wake: $(cat said)"
sed -n '/^wake/,$p' said | sed -n 2p | grep -q 'nv_fe: NV_RELEASE .*, 50 us later$' ||
    fail "where the wake begins: $(cat said)"
grep -q 'nouveau: DRIVER_GP_ENTRY .*, 27.008 us later$' said || fail "how it goes on: $(cat said)"
"$gfe" inject --json --fault 'release.payload flip=3 @#4' "$compute" >said.json 2>err || fail "$(cat err)"
grep -q '"what": "another event"' said.json || fail "no wake in JSON: $(cat said.json)"
"$gfe" inject --fault 'doorbell drop' --param =5 "$compute" >out 2>err
if [ $? -ne 2 ] || ! grep -q "no parameter is called ''" err; then fail "a parameter without a name: $(cat err)"; fi
# Two tasks in TSGs of their own: the fault of one makes the other late ...
"$gfe" import bus -o tasks.gft "$golden/two_tasks.bus" >out 2>&1 || fail "$(cat out)"
expect SDC-timing 'grid_end:1 drop' tasks.gft
# ... unless it is in what they share.
expect 'Breach, also Hang, also Collateral' 'runlist_submit drop' --owner 1 tasks.gft
grep -q '^ *channel 2: 0 results different, 1 missing' said || fail "no victim: $(cat said)"
# Recovered: the resource manager tears the one down, and the other goes on.
expect Detected 'header.type value=6 @#1' --policy rm.recovery=on tasks.gft
grep -q 'the rest went on$' said || fail "not recovered: $(cat said)"

# What was torn down is gone, but who waits for its semaphore waits for ever.
"$gfe" import bus -o semaphore.gft "$golden/../campaigns/semaphore.bus" >out 2>&1 || fail "$(cat out)"
expect 'Breach, also Detected, also Hang, also Collateral' 'header.type value=6 @#1' --policy rm.recovery=on semaphore.gft
grep -q 'not recovered$' said || fail "recovered, though one waits: $(cat said)"
expect Detected 'header.type value=6 @#5' --policy rm.recovery=on semaphore.gft

# AMD: a recording of queues, and a configuration of hip_plugin_framework.
kernels=$golden/kfd_kernels.gft
expect Masked 'doorbell:1025 drop' "$kernels"
# Pages of user pointers move while the firmware hangs: the driver's words as a public report of Linux 5.8
# has them (dri-devel, October 2020, a Ryzen 4750G), then what it prints before a reset.
"$gfe" inject --fault 'userptr:0x8000 spurious @500us' --fault 'fence drop=all @490us' "$kernels" >said 2>err ||
    fail "$(cat err)"
sed -n 's/.*\] amdgpu[^:]*: //p; s/.*\] amdgpu 0000:03:00.0: amdgpu: //p' said | grep -v '^amdgpu: ' | head -6 >lines
cat >words <<'END'
Evicting PASID 0x8000 queues
qcm fence wait loop timeout expired
The cp might be in an unrecoverable state due to an unsuccessful queues preemption
Failed to evict process queues
Failed to quiesce KFD
GPU reset begin!
END
cmp -s lines words || fail "a hanging firmware and user pointers: $(cat lines)"
expect 'Hang, also SDC-timing' 'signal drop' "$kernels"
expect Detected 'signal.address flip=40' "$kernels"
expect 'Collateral, also SDC-data' 'release.value stuck0' "$golden/hip_streams.gft"
expect Detected 'preempt drop' "$golden/hip_streams.gft"
expect Detected 'fence drop' "$golden/hip_streams.gft"
grep -q '^detected   by KFD_FENCE_TIMEOUT, 9 s after it acted; the rest went on' said ||
    fail "no reset: $(cat said)"
cat >hip.json <<'END'
{"name": "two", "plugins": [
    {"filename": "matrix_multiply.so", "label": "a", "thread_count": [16, 16], "block_count": 90,
     "max_iterations": 2},
    {"filename": "vector_add.so", "label": "b", "thread_count": 256, "block_count": 90,
     "max_iterations": 2}]}
END
expect Hang 'cu drop' --cost vector_add=100us hip.json
expect 'Not activated' 'acquire flip=0' --cost vector_add=100us hip.json

# A benchmark whose blocks' duration is said: its thread waits for a grid that never ends.
cat >cuda.json <<'END'
{"name": "one", "max_iterations": 1, "max_time": 0, "cuda_device": 0, "benchmarks": [
    {"filename": "random_walk.so", "log_name": "a", "label": "a", "thread_count": 64, "block_count": 4,
     "data_size": 1024, "additional_info": ""}]}
END
expect Hang 'sm drop=all' --cost random_walk=20us cuda.json
expect Hang 'grid_end drop' --cost random_walk=20us cuda.json

# A random trigger is drawn by its seed, and said, so that it can be given again; both vendors.
for program in "$compute" "$kernels"; do
    "$gfe" inject --json --fault 'doorbell drop @random=5' "$program" >drawn 2>err ||
        fail "$(cat err)"
    same=$(sed -n 's/.*"fault": "\(doorbell drop @#[0-9]*\)".*/\1/p' drawn)
    [ "$same" ] || fail "no trigger is said: $(cat drawn)"
    "$gfe" inject --json --fault "$same" "$program" >again 2>err || fail "$(cat err)"
    cmp -s drawn again || fail "$same is something else than what was drawn"
done

# Two faults; one that never acts is told.
"$gfe" inject --fault 'doorbell drop @#1' --fault 'acquire flip=0' "$compute" >said 2>err ||
    fail "$(cat err)"
grep -q 'not activated: 0 passed there$' said || fail "nothing of the second: $(cat said)"

# The log is one of a run: the fault stands in it, and the same faults give the same log.
for log in a b; do
    "$gfe" inject --fault 'release drop @#2' -o $log.gfl "$compute" >out 2>&1 || fail "$(cat out)"
done
cmp -s a.gfl b.gfl || fail 'the same fault gives another log'
"$gfe" show --as events a.gfl >events 2>err || fail "$(cat err)"
grep -q 'inject FAULT fault_index=0' events || fail 'the log has no FAULT'
"$gfe" explain a.gfl >out 2>err || fail "explain: $(cat err)"

# gfe explain lays it beside the run without: the wake, operation by operation.
"$gfe" run -o golden.gfl "$compute" >out 2>&1 || fail "$(cat out)"
"$gfe" explain --against golden.gfl a.gfl >said 2>err || fail "$(cat err)"
grep -Eq '^only in golden.gfl: ?$' said || fail "nothing is missing: $(tail -n 3 said)"
grep -q '^    semaphore:2 .* does not end  ' said || fail "the lost one ends: $(cat said)"
grep -q '^  semaphore:4  .*report of 0x2 at 0x100201000$' said || fail "what never comes: $(cat said)"
"$gfe" inject --fault 'release delay=50us @#2' -o a.gfl "$compute" >out 2>&1 || fail "$(cat out)"
"$gfe" explain --against golden.gfl a.gfl >said 2>err || fail "$(cat err)"
[ "$(grep -cE ' (later|earlier|longer|shorter|only here|does not end)  ' said)" -gt 10 ] || fail 'no wake'
[ "$(grep -E '^  gp:0:0 ' said | grep -cE 'later|longer')" -eq 0 ] || fail 'a wake before the fault'
"$gfe" explain --against golden.gfl golden.gfl >said 2>err || fail "$(cat err)"
! grep -qE ' (later|earlier|longer|shorter|only here|does not end)  ' said || fail 'a wake of nothing'
grep -qx 'only in golden.gfl: nothing' said || fail "what is missing of nothing: $(tail -n 1 said)"
"$gfe" explain --json --against golden.gfl a.gfl | grep -q '"against": {"what": "moved", "by_ps": ' ||
    fail 'no wake in JSON'
"$gfe" run -o other.gfl tasks.gft >out 2>&1 || fail "$(cat out)"
"$gfe" explain --against other.gfl a.gfl >out 2>err && fail 'another program is taken'
grep -qx 'gfe: a.gfl and other.gfl are not of one program on one kind of GPU' err || fail "$(cat err)"
"$gfe" explain --against golden.gfl a.gfl gp:0:1 >out 2>err
[ $? -eq 2 ] || fail 'one operation is laid beside another'

"$gfe" inject --list >list || fail 'no list'
for site in memory: register: mapping: interrupt doorbell: gp_entry: runlist_entry: channel_ram:; do
    grep -q "^$site" list || fail "the list has no $site"
done
"$gfe" inject --list --json >list.json || fail 'no JSON list'
[ "$(grep -c '"doc"' list.json)" = "$(grep -c '^  models' list)" ] || fail 'lists differ'
[ "$(grep -c '"vendor": "AMD"' list.json)" -gt 30 ] || fail 'nothing of AMD'
"$gfe" inject --list --gpu mi100 >list || fail 'no list of a GPU'
grep -q '^aql:queue' list || fail 'no AQL packets'
grep -q '^NVIDIA' list && fail 'another vendor, too'

# STATUS TEXT ARGUMENT...
refuse() {
    status=$1 text=$2
    shift 2
    "$gfe" inject "$@" >out 2>err
    [ $? = "$status" ] || fail "$*: status is not $status"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || fail "$*: more than one line: $(cat out err)"
    grep -qF -- "$text" err || fail "$*: $(cat err)"
}
refuse 2 'no --fault is given' "$compute"
refuse 2 "--fault 'doorbel drop': no site is called 'doorbel'" --fault 'doorbel drop' "$compute"
refuse 2 'TRACE or CONFIG.json is missing' --fault 'doorbell drop'
refuse 2 'before a register stands ME.PIPE.QUEUE/' --fault 'register:9.0.0/CP_HQD_ERROR flip=0' \
    "$kernels"
refuse 1 "'acquire flip=0 @random=1': nothing passes there" --fault 'acquire flip=0 @random=1' "$compute"
refuse 2 'no GPU is called' --list --gpu nonsense
refuse 1 'missing.gft' --fault 'doorbell drop' missing.gft
cp "$compute" same.gft
refuse 2 'same.gft' --fault 'doorbell drop' -o same.gft same.gft
refuse 1 'No space left' --fault 'doorbell drop' -o /dev/full "$compute"
: >empty
refuse 1 'empty' --fault 'doorbell drop' empty
set -- ; for _ in 1 2 3 4 5 6 7 8 9; do set -- "$@" --fault 'gp_put drop'; done
refuse 2 'at most 8' "$@" "$compute"
exit $failed
