#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record --passthrough above a "real" KFD, which is a second copy of the stand-in with environment
# variables of its own (libgfe-record-under.so), itself under gfe record.  So each run gives two traces
# of the same calls and doorbells: that of the driver below, and that of the recorder above.  They must
# say the same, but for who and when, and for what a recorder above a GPU cannot see: contents of
# mailboxes, the signal by which a queue asks for scratch, and completion values that the program
# overwrote before anybody looked.
#
# PROMISE (traces): Above a second stand-in that plays the real KFD, both traces of a run have the
# same queues, memory objects, events, packets, doorbells and code in the same order within a
# thread.
# LIMIT (traces): `--passthrough` above KFD has never seen a card. Not shown: a GPU that works
# while the recorder looks (caches, write order over the bus), the time of a store to a real
# doorbell, KFD's own errors, large and small BARs, SVM, dma-bufs.
set -u

# With sanitizers gfe finds the recorder of the gfe above it preloaded before their runtime.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export ASAN_OPTIONS

# shellcheck disable=SC2154 # set by make
case $top_builddir in /*) build=$top_builddir ;; *) build=$PWD/$top_builddir ;; esac
gfe=$build/gfe
clients=$build/tests/clients
under=$build/libgfe-record-under.so
broken=$build/libgfe-record-broken.so

[ -r "$under" ] || { echo 'skipped: libgfe-record-under.so is not built'; exit 77; }
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
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK GPU_MAX_HW_QUEUES
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

not() # COMMAND...
{
    ! "$@"
}

# What is run with the driver of its parent below it instead of in its place.
# shellcheck disable=SC2016 # it is another shell's
descend='GFE_UNDER_DIRECTORY=$GFE_RECORD_DIRECTORY GFE_UNDER_GPU=$GFE_RECORD_GPU
    GFE_UNDER_NODE=$GFE_RECORD_NODE
    export GFE_UNDER_DIRECTORY GFE_UNDER_GPU GFE_UNDER_NODE
    unset GFE_RECORD_DIRECTORY GFE_RECORD_GPU GFE_RECORD_NODE GFE_RECORD_LIBRARY
    if [ -n "${UPPER-}" ]; then
        GFE_RECORD_LIBRARY=$UPPER GFE_RECORD_BREAK=$UPPER_BREAK
        export GFE_RECORD_LIBRARY GFE_RECORD_BREAK
    fi
    exec "$@"'

# Both traces and their records as text; `status`, out and err are the program's.
above() # GPUS [--gpu NAMES] PROGRAM...
{
    gpus=$1 named=
    shift
    if [ "$1" = --gpu ]; then
        named="--gpu $2"
        shift 2
    fi
    rm -f above.gft below.gft
    # shellcheck disable=SC2086 # two words or none
    GFE_RECORD_LIBRARY=$under timeout -k 5 120 "$gfe" record -q --gpu "$gpus" -o below.gft -- \
        sh -c "$descend" sh "$gfe" record $named --passthrough -o above.gft -- "$@" >out 2>err
    status=$?
    for trace in above below; do
        "$gfe" decode --records $trace.gft >$trace.whole 2>&1
        sed -E -e 's/^ *[0-9]+ +[0-9.]+ s +[0-9]+\/[0-9]+ +//' -e 's/ (begin|end)_ns=[0-9]+//g' \
            -e 's/ (client_id|as_id)=[0-9]+//g' $trace.whole >$trace.records
    done
}

of_kind() # TRACE KINDS
{
    grep -E "^($2) " "$1.records"
}

# What calls and doorbells say, in its order, or sorted where threads were at it at once.
calls='QUEUE|QUEUE_END|QUEUE_UPDATE|CU_MASK|AS_MAP|AS_UNMAP'
events='EVENT|EVENT_WAIT'
same_records() # KINDS [COMMAND]
{
    of_kind below "$1" | ${2:-cat} >expected
    of_kind above "$1" | ${2:-cat} >seen
    [ -s seen ] && { cmp -s expected seen || { diff expected seen | cut -c1-200 | head -8; return 1; }; }
}

# Memory and completions: nothing that the driver below does not say, too.
nothing_more() # KIND
{
    of_kind below "$1" | sort >expected
    of_kind above "$1" | sort >seen
    comm -13 expected seen >extra
    [ -s seen ] && [ ! -s extra ] && return 0
    cut -c1-200 extra | head -5
    return 1
}

# Completion signals that were seen, of all.
signals()
{
    echo "$(of_kind above GPU_WRITE | grep -c why=SIGNAL) of $(of_kind below GPU_WRITE | grep -c why=SIGNAL)"
}

most_signals() # PERCENT
{
    # shellcheck disable=SC2046 # three words
    set -- "$1" $(signals)
    [ $((100 * $2)) -ge $(($1 * $4)) ] || { echo "only $2 of $4"; return 1; }
}

# What passes while the recorder's thread has no processor is not seen: a completion value that is
# overwritten; a packet that was rung before the one in front of it was written, and that the GPU has taken
# when the recorder looks again.  On a busy machine another try is fair, and the last one is judged as ever.
in_time() # CONDITION GPUS PROGRAM...
{
    condition=$1
    shift
    for _ in 1 2 3 4 5; do
        above "$@"
        $condition >/dev/null && return
    done
}

hsa_seen()
{
    same_records 'QUEUE_SCRATCH.*what=GIVEN' && nothing_more MEM && most_signals 70 && packets_seen
}

packets_seen()
{
    same_records 'PACKET|DOORBELL'
}

threads_seen()
{
    same_records PACKET sort && same_records DOORBELL sort
}

all_the_same() # NAME: of one thread beside ROCm's own
{
    check "$1: ends well" same "$status" 0
    check "$1: the calls are the driver's" same_records "$calls"
    check "$1: events, which a thread of ROCm's waits for" same_records "$events" sort
    check "$1: packets and doorbells, in their order" same_records 'PACKET|DOORBELL'
    check "$1: code" same_records KERNEL sort
    check "$1: memory" nothing_more MEM
    check "$1: completions" nothing_more 'GPU_WRITE.*why=SIGNAL'
}

# --- a program of ours -----------------------------------------------------------------------------

above radeon-vii "$clients/kfd_procs" strict
check 'a program ends well' same "$status $(cat out)" '0 '
check 'the calls are the driver'"'"'s' same_records "$calls"
check 'packets and doorbells, in their order' same_records 'PACKET|DOORBELL'
check 'each with its completion behind' same_records 'PACKET|DOORBELL|GPU_WRITE|MEM'
check 'the trace says whose values they are' grep -q '^META .*driver="kfd 1\.9".*completions=HARDWARE' \
    above.records
check 'and so does the summary' grep -q 'were seen of the real driver' err
check 'the GPU is the one that is there' grep -q '^DEVICE .*gpu="radeon-vii" gfx_version=90006' \
    above.records
above radeon-vii --gpu mi50 "$clients/kfd_procs" one
check 'it can be named otherwise' grep -q '^DEVICE .*gpu="mi50" gfx_version=90006' above.records
check 'a program that does not wait' same_records 'PACKET|DOORBELL'
check 'none of its completions is missed' same "$(signals)" '300 of 300'
above radeon-vii "$clients/kfd_procs" kernels
check 'two queues that wait for each other' same "$status" 0
check 'their calls' same_records "$calls|$events"
check 'their code' same_records KERNEL
for queue in 0 1; do
    check "packets and doorbells of queue $queue" same_records \
        "(PACKET queue_id|DOORBELL channel_id)=$queue"
done
# A program that polls may overwrite completion values unseen; one that waits by a call does not.
all_signals()
{
    same "$(signals)" '12 of 12'
}
in_time all_signals radeon-vii "$clients/kfd_procs" kernels events
check 'with waits that are calls, no completion is missed' all_signals
for trace in above below; do
    "$gfe" run -o $trace.gfl $trace.gft >summary 2>&1
    awk '$1 == "launches" || $1 == "fences" { print $1, $2, $3, $4 }' summary >$trace.summary
done
check 'are replayed as the driver'"'"'s own recording' cmp above.summary below.summary
check 'with kernels in it' grep -q 'launches 12' above.summary
for mode in 'fork 3' nested inherit; do
    # shellcheck disable=SC2086 # two words
    above radeon-vii "$clients/kfd_procs" $mode
    check "$mode: ends well" same "$status" 0
    check "$mode: as many clients, but for gfe itself" same "$(of_kind above CLIENT | wc -l)" \
        $(($(of_kind below CLIENT | wc -l) - 1))
    check "$mode: packets and doorbells" same \
        "$(of_kind above PACKET | wc -l) $(of_kind above DOORBELL | wc -l)" \
        "$(of_kind below PACKET | wc -l) $(of_kind below DOORBELL | wc -l)"
    check "$mode: completions" most_signals 80
done
above radeon-vii "$clients/kfd_procs" signals
check "a program's own SIGSEGV is its own" same "$status $(cat out)" \
    '0 kfd_procs: 3 faults, alarms came'
check 'and no doorbell is lost' same_records 'PACKET|DOORBELL'
above radeon-vii "$clients/kfd_procs" kill
check 'a program that is killed' same "$status" 137
check 'is recorded' same_records 'PACKET|DOORBELL'
above radeon-vii "$clients/kfd_procs" strange
check 'doorbells rung in an unknown way work' same "$status" 0
check 'that values may be missing is noted' grep -q 'MARK .*values may be missing' above.records
check 'write indices say what was rung' test "$(of_kind above DOORBELL | wc -l)" -ge 1

# --- ROCm -----------------------------------------------------------------------------------------

if command -v rocminfo >/dev/null 2>&1; then
    above radeon-vii,mi100 rocminfo
    check 'rocminfo ends well' same "$status $(grep -c 'Device Type: *GPU' out)" '0 2'
    check 'its calls are recorded' same_records "$calls"
    check 'and its events' same_records "$events" sort
    check 'two GPUs' same "$(sed -n 's/^DEVICE .*gpu="\([^"]*\)".*/\1/p' above.records | tr '\n' ' ')" \
        'radeon-vii mi100 '
fi
if [ -x "$clients/hsa_client" ]; then
    in_time hsa_seen radeon-vii "$clients/hsa_client"
    all_the_same 'HSA'
    check 'HSA: scratch' same_records 'QUEUE_SCRATCH.*what=GIVEN'
    check 'HSA: most completions' most_signals 70
    echo "HSA: $(signals) completion signals seen"
fi
if [ -x "$clients/hip_client" ]; then
    in_time packets_seen radeon-vii "$clients/hip_client" streams 4
    all_the_same 'HIP'
    above radeon-vii,mi100 "$clients/hip_client" streams 4
    check 'HIP on two GPUs ends well' same "$status" 0
    check 'HIP on two GPUs: packets' same_records PACKET sort
    in_time packets_seen radeon-vii "$clients/hip_client" features 1
    all_the_same 'registered memory, CU masks, priorities'
    in_time threads_seen radeon-vii "$clients/hip_client" threads 8 20
    check 'eight threads end well' same "$status" 0
    check 'eight threads: packets' same_records PACKET sort
    check 'eight threads: doorbells' same_records DOORBELL sort
    check 'eight threads: completions' nothing_more 'GPU_WRITE.*why=SIGNAL'
    echo "HIP with eight threads: $(signals) completion signals seen"
fi

# --- what is not there, and recorders that are broken ------------------------------------------------

if [ ! -e /dev/kfd ]; then
    "$gfe" record --gpu radeon-vii --passthrough -o none.gft -- true >out 2>err
    check 'without a GPU it is refused in a line' same "$? $(cat err)" \
        '1 gfe: --passthrough: /dev/kfd: No such file or directory'
fi
if [ -r "$broken" ]; then
    UPPER=$broken UPPER_BREAK=
    export UPPER UPPER_BREAK
    above radeon-vii "$clients/kfd_procs" strict
    check 'a breakable recorder without a fault is right' same_records 'PACKET|DOORBELL|GPU_WRITE|MEM'
    UPPER_BREAK=untold
    above radeon-vii "$clients/kfd_procs" strict
    check 'a doorbell that is not recorded is noticed' not same_records DOORBELL >/dev/null
    UPPER_BREAK=drop
    above radeon-vii "$clients/kfd_procs" strict
    check 'a doorbell that does not go on is noticed' same "$status" 1
    unset UPPER UPPER_BREAK
fi
check 'nothing is left behind' same "$(ls -A "$TMPDIR")" ''

echo "$checks checks, $failures failed"
[ $failures = 0 ]
