#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record --passthrough: above a "real" nouveau driver, which is a second copy of the stand-in with
# environment variables of its own (libgfe-record-under.so), itself under gfe record.  So each run
# gives two traces of the same calls: that of the driver below, and that of the recorder above.  They
# must say the same, but for who and when (META, times, processes) and what a recorder above sees
# later than the driver itself.
#
# PROMISE (traces): Above a second stand-in that plays the real nouveau driver, both traces of a
# run have the same records, MEM and GPU_WRITE by the byte, except times, processes and META.
# LIMIT (traces): `--passthrough` has never seen a card. Not shown: the real kernel's errors and
# races, memory that moves while it is mapped, the cost of reading video memory through the bus,
# several cards.
set -u

# With sanitizers gfe finds the recorder of the gfe above it preloaded before their runtime.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
export ASAN_OPTIONS

# shellcheck disable=SC2154 # set by make
gfe=$top_builddir/gfe
clients=$top_builddir/tests/clients
counts=$top_builddir/tests/record_counts
under=$top_builddir/libgfe-record-under.so
broken=$top_builddir/libgfe-record-broken.so

[ -r "$under" ] || { echo 'skipped: libgfe-record-under.so is not built'; exit 77; }
gfe=$(realpath "$gfe") || exit 1
clients=$(realpath "$clients") || exit 1
counts=$(realpath "$counts") || exit 1
under=$(realpath "$under") || exit 1
broken=$(realpath -m "$broken") || exit 1

work=$(mktemp -d) || exit 1
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR" "$work/dri"
cd "$work" || exit 1
: >dri/nouveau_dri.so
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK LIBGL_DRIVERS_PATH
failures=0
checks=0
background=
clean_up()
{
    for pid in $background; do
        kill -9 "$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap clean_up EXIT

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
    grep -q -- "$2" "$1" || { echo "$1 lacks '$2':"; head -5 "$1"; return 1; }
}

is_empty() # DIRECTORY
{
    [ -z "$(ls -A "$1")" ] || { echo "$1 has $(ls -A "$1")"; return 1; }
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
    unset LIBGL_DRIVERS_PATH
    if [ -n "${UPPER-}" ]; then
        GFE_RECORD_LIBRARY=$UPPER GFE_RECORD_BREAK=$UPPER_BREAK
        export GFE_RECORD_LIBRARY GFE_RECORD_BREAK
    fi
    exec "$@"'

# The driver's own trace is below.gft.
below() # GPU COMMAND...
{
    gpu=$1
    shift
    LIBGL_DRIVERS_PATH=$work/dri GFE_RECORD_LIBRARY=$under timeout 120 "$gfe" record -q \
        --gpu "$gpu" -o below.gft -- sh -c "$descend" sh "$@"
}

above() # GPU PROGRAM...: makes above.gft
{
    gpu=$1
    shift
    rm -f above.gft below.gft
    below "$gpu" "$gfe" record --passthrough -o above.gft -- "$@"
}

# The records without who and when.
records() # TRACE
{
    "$counts" -r "$1" | sed -E -e 's/^ *[0-9]+ +[0-9.]+ s +[0-9]+\/[0-9]+ +//' \
        -e 's/ (begin|end)_ns=[0-9]+//g' -e '/^(META|END) /d'
}

same_records()
{
    records below.gft >expected && records above.gft >seen && [ -s seen ] &&
        { cmp -s expected seen || { diff expected seen | cut -c1-200 | head -8; return 1; }; }
}

# The same, whatever the order between threads at once was.  A thread that waits for a submission may be
# back before the one that makes it is, and its record then comes first.
same_records_sorted()
{
    records below.gft | sort >expected && records above.gft | sort >seen && [ -s seen ] &&
        { cmp -s expected seen || { diff expected seen | cut -c1-200 | head -8; return 1; }; }
}

# The same, but for the last value that a program could see: a driver knows it also where the program has
# closed the object that it lies in.
same_records_but_seen()
{
    for trace in below above; do
        records $trace.gft | sed 's/ seen_address=.*//' >$trace.records
    done
    [ -s above.records ] && { cmp -s below.records above.records ||
        { diff below.records above.records | cut -c1-200 | head -8; return 1; }; }
}

same_decoded()
{
    for trace in below above; do
        "$gfe" decode $trace.gft >$trace.text || return 1
        sed -E -e 1d -e 's/ time=[0-9.]*ms//' $trace.text | sort >$trace.sorted
    done
    [ "$(wc -l <above.sorted)" -gt 5 ] && { cmp -s below.sorted above.sorted ||
        { diff below.sorted above.sorted | head -8; return 1; }; }
}

# Sets `submissions`, `reached` and `wanted` from a replay.
replay() # TRACE
{
    submissions='' reached='' wanted=''
    timeout 60 "$gfe" run "$1" >run 2>&1 || { head -3 run; return 1; }
    submissions=$(sed -n 's/^  submissions  *\([0-9]*\) .*/\1/p' run)
    reached=$(sed -n 's/^  fences  *\([0-9]*\) of .*/\1/p' run)
    wanted=$(sed -n 's/^  fences  *[0-9]* of \([0-9]*\) .*/\1/p' run)
}

all_reached()
{
    [ -n "$wanted" ] && [ "$wanted" -gt 0 ] && same "$reached" "$wanted"
}

has_no_marks() # TRACE
{
    "$counts" -m "$1" >marks
    [ ! -s marks ] || { head -3 marks; return 1; }
}

# --- one process ------------------------------------------------------------------------------

recorded() # NAME COMPARISON GPU PROGRAM...: and both traces say the same
{
    name=$1
    comparison=$2
    shift 2
    above "$@" >stdout 2>stderr
    check "$name: the program ends well" same $? 0
    check "$name: the summary says where values come from" matches stderr "real driver's GPU"
    check "$name: both recorders say the same" "$comparison"
    check "$name: nothing is left out" has_no_marks above.gft
    check "$name: it can be replayed" replay above.gft
    check "$name: every completion value is reached" all_reached
    check "$name: the trace says whose values they are" not grep -q stand-in run
    check "$name: nothing is left" is_empty "$TMPDIR"
}

recorded 'buffers' same_records gtx1060 "$clients/drm_upload" 4 64 20 64
"$counts" -r above.gft | head -1 >meta
check 'completion values are the hardware'"'"'s' matches meta 'completions=HARDWARE'
check 'the driver is the one that answered' matches meta 'driver="nouveau 1.4.0"'
check 'so is the chip' matches meta 'gpu="gtx1060" chipset=0x136 pci_id=0x10de1c03'
recorded 'another chip' same_records rtx2060 "$clients/drm_upload" 2 64 5 64
"$counts" -r above.gft | head -1 >meta
check 'the chip is that of the driver below, not the default' matches meta \
    'gpu="rtx2060" chipset=0x166 pci_id=0x10de1f08 vram_bytes=6442450944'

if [ -x "$clients/vm_client" ]; then
    recorded 'VM_BIND' same_records_sorted gtx1060 "$clients/vm_client"
    check 'VM_BIND: timelines and their files are there' test \
        "$(grep -c '^SYNCOBJ' seen)" -ge 10
    check 'VM_BIND: the program waits' test "$(grep -c '^SYNCOBJ_WAIT' seen)" -ge 5
fi
driver=
for found in /usr/lib/*/dri/nouveau_dri.so /usr/lib64/dri/nouveau_dri.so /usr/lib/dri/nouveau_dri.so; do
    [ -r "$found" ] && driver=$found
done
if [ -n "$driver" ] && [ -x "$clients/gl_clear" ]; then
    for client in gl_clear gl_compute gl_upload; do
        recorded $client same_records gtx1060 "$clients/$client"
    done
    above gtx1060 "$clients/gl_threads" >stdout 2>stderr
    check 'gl_threads: the program ends well' same $? 0
    check 'gl_threads: the same methods' same_decoded
    check 'gl_threads: it can be replayed' replay above.gft
    check 'gl_threads: every completion value is reached' all_reached
    "$counts" -w above.gft >waits
    check 'gl_threads: each wait of each thread' same "$(grep -c '^glFinish' waits)" 6
else
    echo 'GL is not recorded: nouveau_dri.so or the clients are not there'
fi

# --- several processes ------------------------------------------------------------------------

# Fork, exec, descriptors passed and closed: the recorder above has no mark of its own in the node's
# descriptors but a lock.  What ends with a closed file is seen later than by the driver.
procs() # MODE SUBMISSIONS CLIENTS PROCESSES
{
    above gtx1060 "$clients/drm_procs" "$1" >stdout 2>stderr
    check "$1: the program ends well" same $? 0
    check "$1: it says nothing" same "$(cat stdout)" ''
    found=$(sed -n 's/.* of \([0-9]*\) clients.*/\1/p' stderr)
    check "$1: clients" same "${found:-1}" "$3"
    check "$1: it can be replayed" replay above.gft
    if [ "$2" != any ]; then
        check "$1: submissions" same "$submissions" "$2"
    fi
    check "$1: every completion value is reached" all_reached
    check "$1: nothing is left out" has_no_marks above.gft
    "$counts" -p above.gft >counted
    check "$1: processes that submit" same "$(sed -n 's/^processes //p' counted)" "$4"
    check "$1: nothing is left" is_empty "$TMPDIR"
}

for line in 'several 20 4 4' 'threads 180 36 5' 'signals any 2 1' 'flink 12 2 2'; do
    # shellcheck disable=SC2086 # four words
    procs $line
done
for line in 'fork 46 1 5' 'exec 10 1 1' 'pass 10 1 2' 'close 25 2 1'; do
    # shellcheck disable=SC2086 # four words
    procs $line
    check "${line%% *}: both recorders say the same" same_records
done

procs prime 13 2 2
check 'prime: both recorders say the same' same_records_but_seen

# --- calls that fail --------------------------------------------------------------------------

above gtx1060 "$clients/drm_procs" failing >stdout 2>stderr
check 'failing calls: the program ends well' same $? 0
check 'failing calls: both recorders say the same' same_records
check 'failing calls: only what succeeded is a submission' same \
    "$(grep -c '^SUBMIT ' seen)" 3
check 'failing calls: it can be replayed' replay above.gft
check 'failing calls: every completion value is reached' all_reached

# --- kill -9 ----------------------------------------------------------------------------------

for n in 2 4 6 9; do
    above gtx1060 "$clients/drm_procs" die $n >stdout 2>stderr
    check "killed before call $n: 137" same $? 137
    check "killed before call $n: it can be replayed" replay above.gft
    check "killed before call $n: all that it submitted" same "${submissions:-0}" \
        "$(wc -l <stdout)"
    [ "${submissions:-0}" = 0 ] || check "killed before call $n: completion values" all_reached
done
for n in 3 8 12; do
    above gtx1060 "$clients/drm_procs" kill $n >stdout 2>stderr
    check "a child killed before call $n: 137" same $? 137
    check "a child killed before call $n: it can be replayed" replay above.gft
    check "a child killed before call $n: the others" test "${submissions:-0}" -ge 26
    check "a child killed before call $n: completion values" all_reached
done

# With the locks held, that of all processes and the turn of a file: at steps of the recorder above.
if [ -r "$broken" ]; then
    died=0
    for n in 1 4 9 14 19 24 29 34 39; do
        UPPER=$broken UPPER_BREAK=die:$n above gtx1060 "$clients/drm_procs" kill 0 >stdout 2>stderr
        status=$?
        [ $status = 0 ] && continue
        died=$((died + 1))
        check "killed at step $n of the recorder: 137" same $status 137
        check "killed at step $n of the recorder: it can be replayed" replay above.gft
        check "killed at step $n of the recorder: the others" test "${submissions:-0}" -ge 26
        check "killed at step $n of the recorder: completion values" all_reached
    done
    check 'killed at a step of the recorder: it happened' test $died -gt 3
fi

# At any moment, also in a submission: the trace has whole submissions, and at least those that had
# returned.
for delay in 0.05 0.11 0.2; do
    # The background command empties stdout only when it comes to run: what the last one printed must
    # not be taken for this one's.
    rm -f pid
    : >stdout
    above gtx1060 sh -c "echo \$\$ >pid; exec '$clients/drm_procs' die 0" >stdout 2>stderr &
    runner=$!
    tries=0
    while [ "$(wc -l <stdout)" -lt 10 ] && [ $tries -lt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    sleep $delay
    kill -9 "$(cat pid)"
    wait $runner
    check "kill -9 while it submits: 137" same $? 137
    check "kill -9 while it submits: it can be replayed" replay above.gft
    check "kill -9 while it submits: what had returned" test "${submissions:-0}" -ge \
        "$(wc -l <stdout)"
    check "kill -9 while it submits: completion values" all_reached
done

# gfe record itself is killed, and its program: what is there is recovered.
# shellcheck disable=SC2016 # another shell's
left='"$0" record --passthrough -q -o above.gft -- sh -c "echo \$\$ >pid; exec \"\$0\" die 0" "$1" &
    echo $! >gfe_pid
    while [ "$(wc -l <stdout)" -lt 10 ]; do sleep 0.05; done
    kill -9 $(cat gfe_pid) $(cat pid)
    wait
    sleep 0.2
    for directory in "$TMPDIR"/gfe-record-*; do
        [ "$directory" = "$GFE_UNDER_DIRECTORY" ] || echo "$directory"
    done >directory
    "$0" record --recover "$(cat directory)" -o recovered.gft >recover_out 2>recover_err
    echo $? >recover_status'
rm -f pid stdout
: >stdout
below gtx1060 sh -c "$left" "$gfe" "$clients/drm_procs" >>stdout 2>stderr
check 'a killed gfe record: --recover works' same "$(cat recover_status)" 0
check 'a killed gfe record: says where values come from' matches recover_err "real driver's GPU"
check 'a killed gfe record: it can be replayed' replay recovered.gft
check 'a killed gfe record: what had returned' test "${submissions:-0}" -ge "$(wc -l <stdout)"
check 'a killed gfe record: completion values' all_reached
check 'a killed gfe record: nothing is left' is_empty "$TMPDIR"

# --- refusals ---------------------------------------------------------------------------------

# Where there is a GPU, what is found may be anything.
if [ ! -e /dev/dri ]; then
    "$gfe" record --passthrough -o refused.gft -- true >stdout 2>stderr
    check 'no GPU: 1' same $? 1
    check 'no GPU: the message' matches stderr 'passthrough: there is no GPU here'
    check 'no GPU: one line' same "$(wc -l <stderr)" 1
    check 'no GPU: no trace' test ! -e refused.gft
    check 'no GPU: nothing is left' is_empty "$TMPDIR"
fi
above gtx1060 true >stdout 2>stderr
check 'a program without GPU: 1' same $? 1
check 'a program without GPU: the message' matches stderr 'never used the GPU'
below gtx1060 "$gfe" record --passthrough --gpu gtx1050ti -o above.gft -- \
    "$clients/drm_upload" 1 4 1 64 >stdout 2>stderr
check '--gpu is taken' same $? 0
"$counts" -r above.gft | head -1 >meta
check 'it names the GPU, and the chip stays' matches meta 'gpu="gtx1050ti" chipset=0x136'

echo "$checks checks, $failures failed"
[ $failures = 0 ]
