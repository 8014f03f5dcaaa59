#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe live with ROCm's libraries: programs run above the emulated GPU as they should, and each fault
# reaches them as the kernel driver would let it. What the emulation itself does: test_live_kfd.c.
#
# PROMISE (live): `gfe live`: HIP and HSA programs end as above a recorder; lost doorbells, page
# faults, bad packets, lost interrupts, hangs and resets reach ROCr as KFD would let them.
set -u

# shellcheck disable=SC2154 # both are set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
# shellcheck disable=SC2154
clients=$(cd "$top_builddir" && pwd)/tests/clients
kernels=$(cd "$top_srcdir" && pwd)/tests/clients/kfd_kernels.cl
[ -e "$top_builddir/libgfe-live.so" ] || {
    echo 'skipped: there is no libgfe-live (it is not built with sanitizers)'
    exit 77
}
[ -x "$clients/hip_client" ] || {
    echo 'skipped: the HIP client is not there (libamdhip64-dev)'
    exit 77
}
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
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# SENTENCE PATTERN: what was said, by the last live.
has() { grep -q -- "$2" said || fail "$1: no '$2' in: $(cat said err)"; }

# OPTION... -- PROGRAM...: into said and err; its exit status
live() { timeout -k 5 300 "$gfe" live --controls 1 "$@" >said 2>err; }

hip=$clients/hip_client
code=
if command -v clang >/dev/null 2>&1 && clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa \
    -mcpu=gfx906 -nogpulib -O2 -o kernels.co "$kernels" 2>clang.log; then
    code=$work/kernels.co
else
    echo 'without a code object: clang cannot make one for gfx906'
fi

# --- without faults: what programs do above a recorder they do here, and the log is whole

live -o run.gfl -- "$hip" streams 8 || fail "8 streams: $(cat said err)"
has '8 streams' '^hip_client: 8 streams, 0 wrong words$'
"$gfe" show --as events run.gfl >events 2>err || fail "the log: $(cat err)"
grep -q 'AMD_SIGNAL' events || fail 'no signal in the log'
grep -q 'LIVE_CALL call=[0-9]* queue_index=0 errno=0' events || fail 'no call in the log'
[ ! -s err ] || fail "the log is not whole: $(cat err)"
live -- "$hip" threads 4 4 || fail "4 threads: $(cat said err)"
has '4 threads' '^hip_client: 4 threads, 4 rounds, 0 wrong words$'
live -- "$hip" features 1 || fail "features: $(cat said err)"
# The GPU's counter that the driver tells is the one that time stamps are read from.
grep -q 'time stamps may be invalid' err && fail "time stamps: $(cat err)"
if [ -x "$clients/hsa_client" ]; then
    # shellcheck disable=SC2086 # no name, no argument
    live -- "$clients/hsa_client" || fail "the HSA client: $(cat said err)"
fi
live --gpu mi100 -- "$hip" streams 1 || fail "an MI100: $(cat said err)"
has 'an MI100' 'the first gfx908'
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"

# --- a program that ends with status 0 while a packet waits for a signal that nothing completes, beside
# copies that only need time: the former is told, and only that

if [ -x "$clients/hsa_client" ]; then
    live -o left.gfl -- "$clients/hsa_client" leave
    [ $? -eq 3 ] || fail "work that is left: $(cat said err)"
    has 'the program ends' '^hsa_client: left$'
    sed -n 2p err | grep -q '^  work is left: 1 thing waits for ever$' || fail "what is left: $(cat err)"
    sed -n 3p err | grep -q '^      queue [0-9]* waits for semaphore at 0x[0-9a-f]*, since .* (AMD.DEPENDS)$' ||
        fail "who waits: $(cat err)"
    [ "$(grep -c . err)" -eq 3 ] || fail "what was cut off is told too: $(cat err)"
    "$gfe" show --as events left.gfl | grep -q ' program LIVE_END ' || fail 'nothing was under way'
    "$gfe" check left.gfl >said 2>err && fail 'gfe check takes work that is left for good'
    has 'check' ' LIVE: queue [0-9]* waits for semaphore at '
    live --fault 'doorbell:1 delay=1ms' -- "$clients/hsa_client" leave
    [ $? -eq 3 ] || fail "work that is left without the fault: $(cat said err)"
    has 'the fault is judged' '^outcome    '
fi

# --- the five faults

# A lost doorbell: a queue of copies never hears of its packets.
live --fault 'doorbell:1024 drop' -- "$hip" streams 2 || fail "lost doorbell: $(cat err)"
has 'a lost doorbell' '^outcome    Hang$'
has 'a lost doorbell acts' '^           acted first at .*, queue 1024$'
has 'a lost doorbell' '^program    did not end, and was killed after .*; without the fault exit status 0'
# One that only comes late hurts nobody.
live --fault 'doorbell:1024 delay=20ms' -- "$hip" streams 2 || fail "late doorbell: $(cat err)"
has 'a late doorbell' '^outcome    Masked$'
has 'a late doorbell acts' '^           acted first at'

# Memory that is not in the page tables: the runtime is told, says where and why, and ends the program.
live --fault 'map drop @#2' -- "$hip" streams 2 || fail "page fault: $(cat err)"
has 'a page fault' '^outcome    Detected$'
has 'by whom' "^detected   by the kernel driver's log$"
has 'a page fault' '^kernel .*no-retry page fault (src_id:0 ring:[0-9]* vmid:8 pasid:32768'
has 'its queues' 'amdgpu: Evicting PASID 0x8000 queues$'
has 'ROCr says so' '^stderr     | Memory access fault by GPU node-1 .*Reason: Page not present'
has 'ROCr aborts' '^program    signal 6'
page=$(sed -n 's/.*in page starting at address 0x0*\([0-9a-f]*\) .*/\1/p' said)
has 'at the address' "Memory access fault by GPU node-1 .* on address 0x$page\\."
live --json --fault 'map drop @#2' -- "$hip" streams 2 || fail "page fault, JSON: $(cat err)"
has 'in JSON' '"outcome": "Detected"'
has 'in JSON' '"signal": 6'
has 'in JSON' '"acted": true'

# A lost interrupt: whoever sleeps then is not woken. Who still polls does not notice.
live --fault 'interrupt drop=all' -- "$hip" streams 2 || fail "lost interrupt: $(cat err)"
has 'a lost interrupt' '^outcome    \(Hang\|Masked\)$'
has 'a lost interrupt acts' '^           acted first at'

# A packet of a type that there is not, and a dispatch that is none: the queue stops, its signal says
# why, and ROCr aborts. The fault is in the log although that is all that it says.
for packet in 'TYPE:1024 value=6/HSA_STATUS_ERROR_INVALID_PACKET_FORMAT' \
    'GRID_SIZE_X:1024 value=0/HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS'; do
    live --fault "aql.${packet%/*}" -- "$hip" streams 2 || fail "bad packet: $(cat err)"
    has "a bad packet, $packet" '^outcome    Detected$'
    has "a bad packet acts, $packet" '^           acted first at .*, queue 1024'
    has "a bad packet, $packet" '^program    signal 6 (Aborted)'
    has "ROCr says so, $packet" "^stderr     |  ${packet#*/}: "
done
# One of the driver's own queue: the firmware stops, and with it everything; the GPU is reset.
live --fault 'pm4_header.opcode value=0xff' -- "$hip" streams 2 || fail "bad opcode: $(cat err)"
has 'a bad opcode' '^outcome    Detected$'
has 'the driver says why' 'Illegal opcode in command stream$'
has 'the GPU is reset' 'GPU reset begin!$'
has 'ROCr says so' '^stderr     | Memory access fault .*Reason: Generic hang recovery'

# An engine that hangs: with waves that can be saved another queue is made and used; the kernel never
# ends. Without, the driver cannot take the list off, and the runtime is told that no queue is made.
if [ -n "$code" ]; then
    live --fault 'block_end:5 drop=all' -- "$hip" late 1 "$code" || fail "hang: $(cat err)"
    has 'a kernel that hangs' '^outcome    Hang$'
    has 'another queue goes on' '^stdout     | hip_client: another stream, 0 wrong words$'
    grep -q 'the first, 0 wrong' said && fail 'a kernel that hangs has ended'
    live --param kfd.cwsr_enable=0 --fault 'block_end:5 drop=all' -- "$hip" late 1 "$code" ||
        fail "hang without CWSR: $(cat err)"
    has 'a call fails' '^refused    1 calls of the program, the first with Timer expired$'
    has 'the driver says why' 'Queue preemption time out$'
    has 'ROCr says so' '^stderr     | HSA exception: Queue create failed'
    live --param kfd.cwsr_enable=0 --policy kfd.queue_reset=on --fault 'block_end:5 drop=all' -- \
        "$hip" late 1 "$code" || fail "queue reset: $(cat err)"
    has 'a queue is reset' '^outcome    Detected$'
    has 'a queue is reset' '^told       the program, of 2 exceptions$'
    grep -q '^refused' said && fail 'a call fails although the queue was reset'
    has 'ROCr says so' '^stderr     | Memory access fault by GPU node-1 .*Reason: Unknown'
fi

# --- what the program leaves behind, and time limits

# One of the two holds a gigabyte, so that it is not gone for a while after it has been killed; it is
# counted once all the same.
cat >leaves.sh <<'END'
dd if=/dev/zero bs=1G count=1 2>/dev/null | sleep 1000 &
exec "$@"
END
live --fault 'doorbell:1024 delay=1ms' -- sh leaves.sh "$hip" streams 1 </dev/null ||
    fail "leaves: $(cat err)"
has 'what is left is killed' '^left       2 processes'
live --timeout 1ms -- "$hip" streams 1 && fail 'no time limit'
grep -q 'did not end in time, and was killed$' err || fail "no time limit: $(cat err)"

# --- what is refused, in one line

refuse() # STATUS MESSAGE-PART ARGUMENT...
{
    status=$1 part=$2
    shift 2
    live "$@"
    is=$?
    [ $is = "$status" ] || fail "live $*: exit status $is, not $status"
    grep -qF -- "$part" err || fail "live $*: no '$part' in: $(cat err)"
    [ "$(grep -c . err)" = 1 ] || fail "live $*: not one line: $(cat err)"
}
refuse 2 "there is no GPU 'gtx1' to emulate" --gpu gtx1 -- true
refuse 2 "--fault 'nothing drop'" --fault 'nothing drop' -- true
refuse 1 'true never opened the GPU (/dev/kfd)' --fault 'doorbell drop' -- true
refuse 1 'No such file or directory' --fault 'doorbell drop' -- ./there-is-none
refuse 2 'no choice point' --policy kfd.none=1 -- true
refuse 2 'needs ID=VALUE' --param kfd.none -- true
"$gfe" live --list >said 2>err || fail "--list: $(cat err)"
has '--list' '^map:map$'
has '--list' '^doorbell'
# A program that a fault ends while ROCm's compiler works leaves the compiler's folder (comgr-XXXXXX).
left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name 'comgr-*')
[ -z "$left" ] || fail "left behind at the end: $left"
exit $failed
