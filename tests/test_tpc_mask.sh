#!/bin/sh
# SPDX-License-Identifier: MIT
# Masks of TPCs in scenarios and configurations: also of TPCs beyond the 64th, and none of TPCs that
# the GPU does not have.
#
# Right values: a bit of a mask is a TPC, which has two SMs from Volta on but one on a TX2 (Bakita and
# Anderson, RTAS 2023); libsmctrl takes 128 bits, and its call of 64 bits, which the tool uses,
# disables all TPCs from the 65th on (libsmctrl.c).  Numbers of TPCs: 66 on an H100 SXM, 71 on an
# RTX 6000 Ada (NVIDIA's data sheets: 132 and 142 SMs).
#
# PROMISE (sim): Masks name any TPC of the GPU, up to 128, and no other.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

own() # MASK: a scenario with a kernel of 300 blocks
{
    cat >s.json <<END
{ "gfe_scenario": 1, "name": "m", "processes": [{ "streams": [{ "name": "s" }], "tasks": [
  { "name": "t", "stream": "s", "calls": [{ "launch": { "name": "k", "blocks": 300, "threads": 1024,
    "work": 0.0001, "sm_mask": "$1" } }] }] }] }
END
}

tool() # MASK: a configuration of cuda_scheduling_examiner
{
    cat >s.json <<END
{ "name": "m", "max_iterations": 1, "max_time": 0, "cuda_device": 0, "benchmarks": [
  { "filename": "timer_spin.so", "log_name": "l.json", "label": "k", "thread_count": 1024,
    "block_count": 300, "data_size": 0, "additional_info": 100000, "sm_mask": "$1" }] }
END
}

expect() # FORM GPU MASK SMS: the SMs that had a block, in order
{
    "$1" "$3"
    "$gfe" run --gpu "$2" -o s.gfl s.json >out 2>&1 || { cat out; failures=$((failures + 1)); }
    sms=$("$gfe" show --as events s.gfl | sed -n 's/.*BLOCK_START.* sm_index=\([0-9]*\).*/\1/p' |
        sort -nu | tr '\n' ' ')
    [ "$sms" = "$4 " ] || {
        echo "FAILED: mask $3 on $2: blocks on '$sms', not on '$4'"
        failures=$((failures + 1))
    }
}

refuse() # FORM GPU MASK TEXT
{
    "$1" "$3"
    "$gfe" run --gpu "$2" s.json >out 2>&1
    [ $? -eq 1 ] && grep -qF -- "$4" out || {
        echo "FAILED: mask $3 on $2 should say: $4"
        cat out
        failures=$((failures + 1))
    }
}

expect own tx2 ~1 '0'
expect own tx2 1 '1'
expect own gtx1060 ~201 '0 9'
expect own h100 ~20000000000000000 '130 131'
expect own h100 ~30000000000000001 '0 1 128 129 130 131'
expect own rtx6000ada ~400000000000000001 '0 1 140 141'
expect tool h100 ~1 '0 1'
expect tool h100 fffffffffffffffe '0 1'
refuse own h100 40000000000000000 \
    'calls[0].launch.sm_mask: names TPC 66, but a h100 has 66 TPCs, 0 to 65'
refuse own rtx6000ada ~800000000000000000 'names TPC 71, but a rtx6000ada has 71 TPCs, 0 to 70'
refuse own tx2 ~4 'names TPC 2, but a tx2 has 2 TPCs, 0 to 1'
refuse tool tx2 0x5 'benchmarks[0].sm_mask: names TPC 2, but a tx2 has 2 TPCs, 0 to 1'

[ "$failures" -eq 0 ]
