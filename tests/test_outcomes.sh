#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The decision tree of docs/injection.md: a fault for each branch, on each vendor's front end. The faults
# are chosen so that the right class follows from what the hardware does, not from gfe:
#   - a doorbell that never comes, and a bit that is set already, change nothing;
#   - an interrupt without a cause has nothing pending (open-gpu-doc, dev_fifo; amdgpu's IH ring);
#   - a release 50 us late is a result that is late, and no unit looks at the time;
#   - a GP entry that comes twice is a pushbuffer error (PBDMA_INTR); a packet of a type that AQL does not
#     have is refused: ROCr gets code 32 in the queue_inactive_signal (amd_aql_queue.cpp);
#   - a release with another payload, or a packet that is passed over, goes unnoticed;
#   - a release or signal that never comes leaves the program waiting.
# Who is whose follows from the programs: one process's channels in one TSG, or queues; two processes.
#
# PROMISE (faults): Each branch of the outcomes' decision tree is walked on each vendor: not activated,
# masked, late, detected, silent, hang, and collateral to the same context (NVIDIA alone has channels that
# share one), another context, another process and another tenant, of which only what crosses the boundary
# is a breach.
set -eu
gfe=${top_builddir:-.}/gfe
golden=$(cd "${top_srcdir:-.}/tests/golden" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

fail() # MESSAGE
{
    printf '%s\n' "$1"
    status=1
}

outcome() # OUTCOME REACH ARGUMENT...; REACH: "-" none
{
    expected=$1 reach=$2
    shift 2
    "$gfe" inject "$@" >"$dir/out" 2>"$dir/err" || fail "$*: $(cat "$dir/err")"
    got=$(sed -n 's/^outcome    \([^,]*\).*/\1/p' "$dir/out")
    [ "$got" = "$expected" ] || fail "$*: $got, not $expected"
    if [ "$reach" = - ]; then
        ! grep -q 'errors; ' "$dir/out" || fail "$*: it reached somebody"
    else
        grep -q "errors; $reach\$" "$dir/out" || fail "$*: nobody of $reach"
    fi
    "$gfe" inject --json "$@" >"$dir/json" 2>/dev/null
    grep -q "\"outcome\": \"$expected\"" "$dir/json" || fail "$*: JSON says another outcome"
    printf '%s: %s\n%s: %s\n' "$vendor" "$expected" "$vendor" "$reach" >>"$dir/walked"
}

# What did not act has no class beside.
nothing_else() # ARGUMENT...
{
    outcome 'Not activated' - "$@"
    grep -q '^outcome    Not activated$' "$dir/out" || fail "$*: and something else"
    grep -q '"classes": \[\]' "$dir/json" || fail "$*: classes in JSON"
}

cat >"$dir/cuda.json" <<'END'
{"gfe_scenario": 1, "processes": [
    {"streams": [{"name": "a"}, {"name": "b"}], "tasks": [
        {"name": "T0", "calls": [
            {"launch": {"name": "k0", "blocks": 4, "threads": 128, "work": 0.0002}, "stream": "a"}]},
        {"name": "T1", "calls": [
            {"launch": {"name": "k1", "blocks": 4, "threads": 128, "work": 0.0002}, "stream": "b"}]}]},
    {"streams": [{"name": "a"}], "tasks": [
        {"name": "T2", "calls": [
            {"launch": {"name": "k2", "blocks": 4, "threads": 128, "work": 0.0002}, "stream": "a"}]}]}]}
END
cat >"$dir/one.json" <<'END'
{"name": "two", "plugins": [
    {"filename": "vector_add.so", "label": "a", "thread_count": 256, "block_count": 9, "max_iterations": 2},
    {"filename": "vector_add.so", "label": "b", "thread_count": 256, "block_count": 9, "max_iterations": 2}]}
END
sed 's/"plugins"/"use_processes": true, "plugins"/' "$dir/one.json" >"$dir/two.json"
"$gfe" import bus -o "$dir/channels.gft" "$golden/channels.bus" >/dev/null

# --- NVIDIA

vendor=NVIDIA
compute=$golden/compute.gft
nothing_else --fault 'doorbell drop @#1000' "$compute"
nothing_else --fault 'acquire stuck0=31' "$dir/channels.gft"
outcome Masked - --fault 'interrupt spurious @33ms' "$compute"
outcome SDC-timing - --fault 'release delay=50us @#2' "$compute"
outcome Detected - --fault 'gp_entry duplicate' "$compute"
grep -q '^detected   by NV_PBDMA_INTR' "$dir/out" || fail 'a doubled GP entry is detected by something else'
outcome SDC-data - --fault 'release.payload flip=3 @#4' "$compute"
outcome Hang - --fault 'release drop @#2' "$compute"
# The resource manager tears a TSG down: its other channels have Xid 45, the other process has nothing.
outcome Collateral 'same context' --policy rm.recovery=on --fault 'header flip=6 @#7' "$dir/cuda.json"
! grep -q 'another' "$dir/out" || fail 'a teardown reaches beyond the TSG'
outcome Collateral 'same context' --boundary context --policy rm.recovery=on --fault 'header flip=6 @#7' "$dir/cuda.json"
outcome Breach 'another tenant' --tenant 0 --policy rm.recovery=on --fault 'header flip=6 @#7' "$dir/cuda.json"
# Two channels of one address space, each in a TSG of its own; and two address spaces.
outcome Collateral 'another context' --fault 'gp_put flip=8 @#3' "$dir/channels.gft"
outcome Breach 'another context' --boundary context --fault 'gp_put flip=8 @#3' "$dir/channels.gft"
outcome Breach 'another process' --fault 'gp_put flip=8 @#1' "$dir/channels.gft"
outcome Collateral 'another process' --boundary tenant --fault 'gp_put flip=8 @#1' "$dir/channels.gft"
outcome Breach 'another tenant' --boundary tenant --tenant 4 --fault 'gp_put flip=8 @#1' "$dir/channels.gft"

# --- AMD

vendor=AMD
kernels=$golden/kfd_kernels.gft streams=$golden/hip_streams.gft
nothing_else --fault 'doorbell drop @#1000' "$kernels"
nothing_else --fault 'aql.TYPE value=2 @#3' "$streams"
outcome Masked - --fault 'interrupt spurious @1ms' "$kernels"
outcome SDC-timing - --fault 'signal delay=50us' "$kernels"
outcome Detected - --fault 'aql.TYPE value=63 @#3' "$streams"
grep -q '^detected   by AMD_REFUSED' "$dir/out" || fail 'a refused packet is detected by something else'
outcome Detected - --fault 'aql.TYPE value=4' "$kernels"
outcome SDC-data - --fault 'release drop' "$streams"
outcome Hang - --fault 'signal drop' "$kernels"
set -- --cost vector_add=100us
outcome Collateral 'another context' "$@" --fault 'aql flip=98 @#8' "$dir/one.json"
outcome Breach 'another context' --boundary context "$@" --fault 'aql flip=98 @#8' "$dir/one.json"
outcome Breach 'another tenant' --tenant 1026 --tenant 1027 "$@" --fault 'aql flip=98 @#8' "$dir/one.json"
outcome Breach 'another process' "$@" --fault 'aql flip=183 @#7' "$dir/two.json"
outcome Collateral 'another process' --boundary tenant "$@" --fault 'aql flip=183 @#7' "$dir/two.json"

# --- nothing of the page is left out: the ends of its tree, and the rows of how far a fault reached

page=$(cd "${top_srcdir:-.}/docs" && pwd)/injection.md
sed -n '/^The decisions, from/,/^`tests/s/.*\(yes\|no\): *\([A-Z].*\)/\2/p' "$page" >"$dir/ends"
[ "$(wc -l <"$dir/ends")" -eq 8 ] || fail "the tree of docs/injection.md does not have the eight outcomes: $(cat "$dir/ends")"
while read -r end; do
    "$gfe" inject --help | grep -q "^  $end  " || fail "gfe inject --help has no outcome '$end'"
done <"$dir/ends"
sed -n 's/^| \(same context\|another [a-z]*\) | .*/\1/p' "$page" >"$dir/reaches"
[ "$(wc -l <"$dir/reaches")" -eq 4 ] || fail "docs/injection.md: $(wc -l <"$dir/reaches") rows of how far a fault reached"
for vendor in NVIDIA AMD; do
    while read -r end; do
        case "$vendor $end" in 'AMD same context') continue ;; esac # each queue's context is saved alone
        grep -qxF "$vendor: $end" "$dir/walked" || fail "$vendor: no fault ends in '$end'"
    done <<EOF
$(cat "$dir/ends" "$dir/reaches")
EOF
done

# --- the refusal is in the log, with the code of ROCr

"$gfe" inject --fault 'aql.TYPE value=63 @#3' -o "$dir/refused.gfl" "$streams" >/dev/null
"$gfe" show --as events "$dir/refused.gfl" >"$dir/events"
grep -q ' AMD_REFUSED .*doorbell_index=1024 .*code=0x20 \| AMD_REFUSED .*doorbell_index=1024 .*code=32 ' "$dir/events" ||
    fail "no refusal in the log: $(grep AMD_REFUSED "$dir/events")"

# --- wrong usage

for wrong in '--boundary vm' '--tenant x' '--tenant 1,'; do
    code=0
    # shellcheck disable=SC2086 # two words
    "$gfe" inject $wrong --fault 'doorbell drop' "$compute" >"$dir/out" 2>"$dir/err" || code=$?
    [ $code -eq 2 ] || fail "inject $wrong: status $code"
done
exit $status
