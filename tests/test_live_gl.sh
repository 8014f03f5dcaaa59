#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe live with Mesa's nouveau: OpenGL programs run above the emulated GPU as they should, and each
# fault reaches Mesa as the kernel driver would let it. What the emulation itself does:
# test_live_nouveau.c.
#
# PROMISE (live): `gfe live` runs OpenGL programs with Mesa's nouveau on chips from Kepler to
# Turing; of two contexts one may hang or fault, and no word of the other is wrong.
set -u

# shellcheck disable=SC2154 # both are set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
clients=$(cd "$top_builddir" && pwd)/tests/clients
[ -e "$top_builddir/libgfe-live.so" ] || {
    echo 'skipped: there is no libgfe-live (it is not built with sanitizers)'
    exit 77
}
[ -x "$clients/gl_copy" ] || {
    echo 'skipped: the clients are not built (EGL and GLESv2 headers)'
    exit 77
}
found=
for driver in /usr/lib/*/dri/nouveau_dri.so /usr/lib64/dri/nouveau_dri.so /usr/lib/dri/nouveau_dri.so; do
    [ -r "$driver" ] && found=$driver
done
[ -n "$found" ] || {
    echo 'skipped: nouveau_dri.so is not installed (libgl1-mesa-dri)'
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
cd "$work" || exit 1
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# SENTENCE PATTERN: what was said, by the last live.
has() { grep -q -- "$2" said || fail "$1: no '$2' in: $(cat said err)"; }

# OPTION... -- PROGRAM...: into said and err; its exit status
live() { timeout -k 5 300 "$gfe" live --controls 1 --gpu gtx1060 "$@" >said 2>err; }

# --- without faults

# A buffer's bytes go to the GPU and come back from it: the copies are made, in time. A recorder alone
# makes none.
live -o run.gfl -- "$clients/gl_copy" || fail "copies: $(cat said err)"
has 'copies' '^gl_copy: 0 of 8192 words wrong$'
"$gfe" show --as events run.gfl >events 2>err || fail "the log: $(cat err)"
[ ! -s err ] || fail "the log is not whole: $(cat err)"
for kind in COPY_START NV_REPORT DRIVER_FENCE LIVE_MAP; do
    grep -q " $kind " events || fail "no $kind in the log"
done
grep -q 'LIVE_CALL call=[0-9]* queue_index=[0-9]* errno=[1-9]' events && fail 'a call failed'
"$gfe" record -q -o none.gft -- "$clients/gl_copy" >said 2>err
has 'a recorder has no GPU' '^gl_copy: [1-9][0-9]* of 8192 words wrong$'

for client in gl_clear gl_compute gl_threads gl_triangle gl_upload gl_wait; do
    live -- "$clients/$client" || fail "$client: $(cat said err)"
    has "$client" "^$client: done\$"
done
for gpu in gtx680 gtx980 v100 rtx2060; do # one of each way to drive Host
    timeout -k 5 300 "$gfe" live --gpu $gpu -- "$clients/gl_wait" >said 2>err || fail "$gpu: $(cat said err)"
    has "$gpu" '^gl_wait: done$'
done
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -A "$TMPDIR")"

# --- faults

# All doorbells lost from one on: Mesa waits for its fence for ever. The driver rings twice for each
# submission, so that one alone is made good by the next; late is only late.
live --fault 'doorbell drop=all @#5' -- "$clients/gl_copy" || fail "lost doorbells: $(cat err)"
has 'lost doorbells' '^outcome    Hang$'
has 'lost doorbells' '^program    did not end, and was killed after .*; without the fault exit status 0'
live --fault 'doorbell drop @#5' -- "$clients/gl_copy" || fail "a lost doorbell: $(cat err)"
has 'a lost doorbell' '^outcome    Masked$'
has 'a lost doorbell acts' '^           acted first at .*, channel 0$'
live --fault 'doorbell delay=20ms @#5' -- "$clients/gl_copy" || fail "a late doorbell: $(cat err)"
has 'a late doorbell' '^outcome    Masked$'
live --late 500ms --fault 'interrupt delay=2s @#2' -- "$clients/gl_copy" ||
    fail "an interrupt that is too late: $(cat err)"
has 'an interrupt that is too late' '^outcome    SDC-timing$'
has 'an interrupt that is too late' '^output     is as without the fault$'

# A texture heap or code that is not in the page tables: the channel is killed, and Mesa's next
# submission fails.
live --fault 'map drop @#2' -- "$clients/gl_copy" || fail "MMU fault: $(cat err)"
has 'an MMU fault' '^outcome    Detected$'
has 'by whom' "^detected   by the kernel driver's log$"
has 'an MMU fault' '^kernel .*fifo: fault 00 \[READ\] at 00000001[0-9a-f]* .* reason 02 \[PTE\] on channel 0 '
has 'the channel' 'channel 0 killed!$'
has 'a call fails' '^refused    [0-9]* calls of the program, the first with No such device$'
live --json --fault 'map drop @#2' -- "$clients/gl_copy" || fail "MMU fault, JSON: $(cat err)"
has 'in JSON' '"outcome": "Detected"'

# A header with a code that there is not: the PBDMA raises an interrupt, and the driver gives the
# channel up.
live --fault 'header value=0xc0000000 @#30' -- "$clients/gl_copy" || fail "PBDMA error: $(cat err)"
has 'a PBDMA error' '^outcome    Detected$'
has 'the channel' 'channel 0 killed!$'
has 'a call fails' '^refused    [0-9]* calls of the program, the first with No such device$'

# On Volta and Turing faults come in a buffer; the lines have names of engines and clients.
for gpu in v100 rtx2060; do
    timeout -k 5 300 "$gfe" live --gpu $gpu --fault 'map drop @#7' -- "$clients/gl_copy" >said 2>err ||
        fail "MMU fault, $gpu: $(cat err)"
    has "an MMU fault, $gpu" '^outcome    Detected$'
    has "an MMU fault, $gpu" '^kernel .*fifo: fault 01 \[VIRT_WRITE\] at 00000001[0-9a-f]* engine 40 \[gr\] client 04 \[HUB/FE\] reason 02 \[PTE\] on channel 0 '
    has "the channel, $gpu" 'fifo:000000:0000:0000:\[unknown\] errored - disabling channel$'
    has "a call fails, $gpu" '^stderr     | nouveau: kernel rejected pushbuf: No such device$'
    has "Mesa aborts, $gpu" '^program    signal 6 (Aborted)'
done

# Two contexts on one GPU; each is the one that hangs the engine once. The other wants it, the time
# limit passes (4.3 s, where it is not set), the channel is given up, the engine reset, and the other's
# words are right.
for gpu in gtx680 gtx980 gtx1060 v100 rtx2060; do
    live_on() { timeout -k 5 300 "$gfe" live --gpu $gpu "$@" >said 2>err || fail "$gpu, $*: $(cat err)"; }
    live_on -- "$clients/gl_neighbour"
    has "two contexts, $gpu" '^neighbour: 0 of 4096 words wrong$'
    has "two contexts, $gpu" '^gl: 0 of 1024 words wrong$'
    set -- --param nv.ctxsw_timeout_ps=24000
    [ $gpu = gtx1060 ] && set --
    live_on "$@" --fault 'work_end:1 drop' -o hang.gfl -- "$clients/gl_neighbour"
    has "the neighbour hangs, $gpu" '^outcome    Detected$'
    has "the neighbour hangs, $gpu" '^program    exit status 0 after '
    has "its channel, $gpu" 'channel 1 killed!$'
    has "it is told, $gpu" '^stdout     | neighbour: submission 2 is refused (No such device)$'
    has "OpenGL goes on, $gpu" '^stdout     | gl: 0 of 1024 words wrong$'
    "$gfe" show --as events hang.gfl >events 2>err || fail "the log: $(cat err)"
    [ "$(grep -c ' NV_ENGINE_RESET .*in_reset=1' events)" -ge 1 ] || fail "no engine was reset, $gpu"
    grep -q ' DRIVER_RC_END ' events || fail "the recovery did not end, $gpu"
    live_on --param nv.ctxsw_timeout_ps=24000 --fault 'work_end:0 drop' -- "$clients/gl_neighbour"
    has "OpenGL hangs, $gpu" '^outcome    Detected$'
    has "OpenGL hangs, $gpu" '^program    signal 6 (Aborted)'
    has "its channel, $gpu" 'channel 0 killed!$'
    has "the neighbour goes on, $gpu" '^stdout     | neighbour: 0 of 4096 words wrong$'
    if [ $gpu = rtx2060 ]; then
        grep -q SCHED_ERROR said && fail 'Turing has no such SCHED_ERROR'
    else
        has "the time limit, $gpu" 'fifo: SCHED_ERROR 0a \[CTXSW_TIMEOUT\]$'
    fi
    # An entry of the neighbour's ring that points nowhere: the same recovery, from a fault.
    live_on --fault 'gp_entry:1 value=0xff00000000000001 @#4' -- "$clients/gl_neighbour"
    has "the neighbour faults, $gpu" '^outcome    Detected$'
    has "the neighbour faults, $gpu" ' at 0000000000000000 .* on channel 1 '
    has "OpenGL goes on, $gpu" '^stdout     | gl: 0 of 1024 words wrong$'
done
live --policy nouveau.recovery=off --param nv.ctxsw_timeout_ps=24000 --timeout 2s \
    --fault 'work_end:1 drop' -- "$clients/gl_neighbour" || fail "without recovery: $(cat err)"
has 'without recovery' '^outcome    Hang, also Detected$'

# An engine that hangs: with one channel nobody notices.
live --fault 'grid_end drop' -- "$clients/gl_compute" || fail "engine hang: $(cat err)"
has 'an engine that hangs' '^outcome    Hang$'

# The first interrupt is that of a software method, which the PBDMA waits with.
live --fault 'interrupt drop=all' -- "$clients/gl_wait" || fail "lost interrupts: $(cat err)"
has 'lost interrupts' '^outcome    Hang$'

# A copy from elsewhere: nothing says so, but the program's output.
live --fault 'copy.offset_in_lower flip=8 @#2' -- "$clients/gl_copy" || fail "a wrong copy: $(cat err)"
has 'a wrong copy' '^outcome    SDC-data$'

# --- what is wrong is said

"$gfe" live --gpu gtx1060 --list >said 2>err || fail "the list: $(cat err)"
has 'the list has NVIDIA' '^gp_entry:channel$'
has 'and of this driver' '^map:map$'
"$gfe" live --gpu gtx1 -- true >said 2>err && fail 'a GPU that there is not'
grep -q "there is no GPU 'gtx1'" err || fail "a GPU that there is not: $(cat err)"
"$gfe" live --gpu gtx1060 --fault 'doorbell unmap' -- true >said 2>err && fail 'a fault that there is not'
[ "$(wc -l <err)" = 1 ] || fail "a fault that there is not: $(cat err)"
live --fault 'doorbell drop' -- true && fail 'a program without a GPU'
grep -q 'never opened the GPU' err || fail "a program without a GPU: $(cat err)"

[ $failed = 0 ] && echo 'gfe live: OpenGL above an emulated GPU'
# --- two runs without faults come first

cat >varies.sh <<'END'
"$@"
echo "took $$"
echo same
END
timeout 60 "$gfe" live --gpu gtx1060 --fault 'doorbell drop' -- sh varies.sh "$clients/gl_copy" >said 2>err ||
    fail "controls: $(cat err)"
has 'a line that varies is not compared' \
    '^output     is as without the fault, but for 1 of [0-9]* lines, not compared because they differ'
has 'the others are' '^outcome    Masked$'
echo 'exit 7' >fails.sh
{ cat varies.sh; cat fails.sh; } >failing.sh
timeout 60 "$gfe" live --gpu gtx1060 --fault 'doorbell drop' -- sh failing.sh "$clients/gl_copy" >said 2>err
[ $? = 7 ] || fail "a program that fails without a fault: $(cat said err)"
grep -q '^gfe: sh fails without a fault, with exit status 7: ' err || fail "it is refused: $(cat err)"
[ ! -s said ] || fail "and no outcome is printed: $(cat said)"
# shellcheck disable=SC2016 # the pid is the shell's that runs it
{ cat varies.sh; echo 'kill -SEGV $$'; } >crashing.sh
timeout 60 "$gfe" live --gpu gtx1060 --fault 'doorbell drop' -- sh crashing.sh "$clients/gl_copy" >said 2>err
[ $? = 139 ] || fail "a program that crashes without a fault: $(cat said err)"
grep -q 'signal 11 .* ends it without a fault' err || fail "it is refused, too: $(cat err)"

# On a full disk there is no outcome, and no process dies of SIGBUS.
if mkdir full && mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
    TMPDIR=$work/full timeout 60 "$gfe" live --gpu gtx1060 --fault 'doorbell drop' -- "$clients/gl_clear" 300 \
        >said 2>err
    status=$?
    left=$(ls -A full)
    umount full
    [ $status = 1 ] || fail "a full disk: status $status, $(cat said err)"
    grep -q 'No space left on device' err || fail "a full disk is named: $(cat err)"
    [ "$(grep -c . err)" = 1 ] || fail "in one line: $(cat err)"
    [ -z "$left" ] || fail "a full disk: left behind: $left"
else
    echo 'a full disk is not tried: no right to mount one'
fi
exit $failed
