#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record --gpu radeon-vii with several processes and with signals, by a client that speaks KFD's
# interface itself (tests/clients/kfd_procs): AMD's libraries are not needed.
#
# PROMISE (traces): A program that speaks KFD's interface without ROCm is recorded through forks,
# passed descriptors, its own SIGSEGV handler, timers, kill -9 and stores that cannot be decoded.
set -u

# shellcheck disable=SC2154 # set by make
case $top_builddir in /*) build=$top_builddir ;; *) build=$PWD/$top_builddir ;; esac
gfe=$build/gfe
client=$build/tests/clients/kfd_procs

[ "$(uname -m)" = x86_64 ] || {
    echo 'skipped: stores to doorbells are seen on x86-64 only'
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
cd "$work" || exit 1
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK
failures=0
checks=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    checks=$((checks + 1))
    if ! "$@"; then
        echo "FAILED: $sentence"
        failures=$((failures + 1))
    fi
}

same() # IS EXPECTED
{
    [ "$1" = "$2" ] || { echo "is '$1', not '$2'"; return 1; }
}

matches() # FILE PATTERN
{
    grep -q -- "$2" "$1" || { cat "$1"; return 1; }
}

# Records a mode of the client; its exit status in `status`, the records in list.txt.
record() # MODE ARGUMENT...
{
    timeout -k 5 60 "$gfe" record -q --gpu radeon-vii -o client.gft -- "$client" "$@" >stdout 2>stderr
    status=$?
    "$gfe" decode --records client.gft >list.txt 2>&1
}

of_kind() # KIND: how many records
{
    awk -v kind="$1" '$5 == kind { n++ } END { print n + 0 }' list.txt
}

# Clients, queues, packets and doorbells.
counts()
{
    echo "$(of_kind CLIENT) $(of_kind QUEUE) $(of_kind PACKET) $(of_kind DOORBELL)"
}

# Replays the recording: launches, completion values reached of how many, waits that never ended.
replay()
{
    "$gfe" run -o client.gfl client.gft >summary 2>&1 || cat summary
    awk '$1 == "launches" { grids = $2 } $1 == "fences" { fences = $2 "/" $4 }
        / never ended/ { open = $1 } END { print grids, fences, open + 0 }' summary
}

record one
check 'and replayed' same "$(replay)" '0 1/1 0'
check 'a client without libraries ends well' same "$status $(cat stderr)" '0 '
check 'and is recorded' same "$(counts)" '1 1 300 300'
check 'each packet in front of its doorbell, each completion behind' same "$(awk '
    $5 == "PACKET" { p++ } $5 == "DOORBELL" { d++; if (d > p) bad = 1 }
    $5 == "GPU_WRITE" { g++; if (g > p) bad = 1 } END { print g, bad + 0 }' list.txt)" '300 0'
check 'doorbells in their order' same "$(awk '$5 == "DOORBELL" { print $7 }' list.txt | uniq | wc -l)" 300
record fork 3
check 'a program that forks ends well' same $status 0
check 'its children are clients' same "$(counts)" '4 4 1500 1500'
check 'of processes of their own' same \
    "$(awk '$5 == "CLIENT" { split($4, id, "/"); print id[1] }' list.txt | sort -u | wc -l)" 4
check 'each with its queue in the replay' same "$(replay)" '0 4/4 0'
check 'in address spaces of their own' same \
    "$("$gfe" show --as events client.gfl | awk '/ KFD_QUEUE / { print $5 }' | sort -u | wc -l)" 4
record nested
check 'children of children are replayed' same "$(replay)" '0 3/3 0'
check 'children of children, too' same "$status $(counts)" '0 3 3 1800 1800'
record inherit
check "a child cannot use its parent's KFD, but one of its own" same "$status $(counts)" \
    '0 2 2 900 900'
record strict
check 'each packet takes one off its signal and is counted' same "$status $(counts)" '0 1 1 20 20'
record signals
check 'a program with a handler is replayed' same "$(replay)" '0 1/1 0'
check "a program's own SIGSEGV is its own" same "$status $(cat stdout)" \
    '0 kfd_procs: 3 faults, alarms came'
check 'and no doorbell is lost' same "$(counts)" '1 1 900 900'
record kernels
check 'a program with two queues that wait for each other' same "$status $(counts)" '0 1 2 15 15'
check 'whose kernels run in the replay' same "$(replay)" '12 2/2 0'
for board in mi50 mi60 mi100 mi210; do
    "$gfe" record -q --gpu $board -o board.gft -- "$client" kernels >stdout 2>stderr
    check "an $board runs what was recorded for it" same "$("$gfe" run -o board.gfl board.gft |
        awk '$1 == "board.gft" { gpu = $3 } $1 == "launches" { grids = $2 }
            $1 == "fences" { fences = $2 "/" $4 } END { print gpu, grids, fences }')" "$board, 12 2/2"
    check "and shows its slots ($board)" same \
        "$("$gfe" inspect board.gfl hqds | grep -c '^ Inst 0,  CP Pipe')" 24
done
"$gfe" scrub -o scrubbed.gft client.gft >report 2>stderr
check 'it is scrubbed' same "$? $(cat stderr)" '0 '
check 'at once: the plan has all that is needed' matches report '(1 try)'
check "of its kernels' code nothing is left" matches report 'bytes of code removed'
"$gfe" decode --records scrubbed.gft >scrubbed.txt
check 'its name is gone' same "$(grep -c kfd_procs scrubbed.txt)" 0
check 'and each packet and signal is there' same \
    "$(awk '$5 == "PACKET" || $5 == "DOORBELL" || $5 == "GPU_WRITE" { $1 = $2 = $3 = $4 = ""; print }' list.txt | cksum)" \
    "$(awk '$5 == "PACKET" || $5 == "DOORBELL" || $5 == "GPU_WRITE" { $1 = $2 = $3 = $4 = ""; print }' scrubbed.txt | cksum)"
"$gfe" run -o scrubbed.gfl scrubbed.gft >/dev/null
check 'the replay says the same' same "$("$gfe" hash --events - <scrubbed.gfl)" \
    "$("$gfe" hash --events - <client.gfl)"
"$gfe" run --batch-limit 1 -o limited.gfl client.gft >/dev/null
check 'as it does however far units work ahead' same "$("$gfe" hash - <limited.gfl)" \
    "$("$gfe" hash - <client.gfl)"
"$gfe" run --explore 3 client.gft >summary 2>stderr
check 'seeds are for configurations' same "$? $(cat stderr)" \
    '2 gfe run: --explore is for configurations; client.gft is none (see gfe run --help)'
"$gfe" run --snapshot s.gfs --snapshot-at 1ms client.gft >/dev/null
"$gfe" run --restore s.gfs -o restored.gfl client.gft >/dev/null
check 'a snapshot of it is gone on from' same "$("$gfe" hash - <restored.gfl)" \
    "$("$gfe" hash - <client.gfl)"
"$gfe" run --gpu gtx1060 client.gft >summary 2>stderr
check 'so is another GPU' same "$? $(cat stderr)" \
    '1 gfe: client.gft: recorded for radeon-vii, whose programs gtx1060 cannot run'
record kill
check 'a program that is killed' same $status 137
check 'is recorded' same "$(counts)" '1 1 300 300'
check 'and replayed as far as it came' same "$(replay)" '0 1/1 0'
record strange
check 'doorbells rung in an unknown way work' same $status 0
check 'all packets are there' same "$(of_kind PACKET)" 300
check 'that values may be missing is noted' same "$(grep -c 'values may be missing' list.txt)" 1
check 'nothing is left behind' same "$(ls -A "$TMPDIR")" ''
"$gfe" record -q -o none.gft -- "$client" one >stdout 2>stderr
check 'a stand-in for NVIDIA has no /dev/kfd' same $? 2


# --- what is asked of the GPU --------------------------------------------------------------------

# libdrm_amdgpu keeps one device for two descriptors whose cards' names it cannot tell apart (fd_compare()
# of libdrm's amdgpu/amdgpu_device.c); its own table of names (amdgpu.ids) says what the two are called.
"$gfe" record -q --gpu radeon-vii,mi100 -o names.gft -- "$client" names /dev/dri/renderD128 /dev/dri/renderD129 \
    >stdout 2>stderr
status=$?
if [ $status != 77 ] && [ -r /usr/share/libdrm/amdgpu.ids ]; then
    name() # DEVICE REVISION
    {
        sed -n "s/^$1,[[:space:]]*$2,[[:space:]]*//p" /usr/share/libdrm/amdgpu.ids
    }
    check 'two GPUs have each its own name' same "$(cat stdout)" "$(name 66AF C1)
$(name 738C 01)"
else
    echo 'without libdrm_amdgpu: names of two GPUs were not asked for'
fi
"$gfe" record -q --gpu radeon-vii -o none.gft -- sh -c 'exec 3<>/dev/kfd' >stdout 2>stderr
check 'a program that opened the GPU and did nothing is told so' \
    matches stderr 'sh opened the GPU (/dev/kfd or a render node) and asked nothing of it'
"$gfe" record -q --gpu radeon-vii -o none.gft -- true >stdout 2>stderr
check 'and one that did not open it' matches stderr 'true never opened the GPU (/dev/kfd).* lsmod'
if [ -r "$build/libgfe-live.so" ]; then
    "$gfe" live -- sh -c 'exec 3<>/dev/kfd' >stdout 2>stderr
    check 'gfe live says the same' matches stderr 'sh opened the GPU (/dev/kfd .*) and asked nothing of it'
fi

# --- broken variants: the client notices without AMD's libraries ---------------------------------

broken=$build/libgfe-record-broken.so
if [ -r "$broken" ]; then
    GFE_RECORD_LIBRARY=$broken
    export GFE_RECORD_LIBRARY
    record strict
    check 'the breakable library without a fault is right' same $status 0
    for fault in drop read twice; do
        GFE_RECORD_BREAK=$fault
        export GFE_RECORD_BREAK
        record strict
        check "the fault '$fault' is noticed" same $status 1
        echo "fault '$fault': $(tail -n 1 stdout)"
    done
    unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK
fi

echo "$checks checks, $failures failed"
[ $failures = 0 ]
