#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record with several processes: fork, exec, descriptors that are passed on, signals, closed
# descriptors, and kill -9 at every call. Whatever happens, the program notices nothing, the trace
# can be read, and replay reaches every completion value in it. No driver is needed: the client
# speaks the kernel's interface itself.
#
# PROMISE (traces): Several processes, threads, fork, exec, passed and closed descriptors, flink
# names and signal handlers are recorded; kill -9 at each call, with the lock held, and of `gfe
# record` leaves a trace that `--recover` completes.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$top_builddir/gfe
client=$top_builddir/tests/clients/drm_procs
counts=$top_builddir/tests/record_counts
broken=$top_builddir/libgfe-record-broken.so

work=$(mktemp -d) || exit 1
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR" "$work/dri"
cd "$work" || exit 1
: >dri/nouveau_dri.so
LIBGL_DRIVERS_PATH=$work/dri # nothing of it is loaded
export LIBGL_DRIVERS_PATH
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK
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

is_empty() # DIRECTORY
{
    [ -z "$(ls -A "$1")" ] || { echo "$1 has $(ls -A "$1")"; return 1; }
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
    [ -n "$wanted" ] && same "$reached" "$wanted"
}

# --- what programs do with processes ----------------------------------------------------------

mode() # NAME SUBMISSIONS CLIENTS PROCESSES
{
    timeout 60 "$gfe" record -o "$1.gft" -- "$client" "$1" >stdout 2>stderr
    check "$1: the program ends well" same $? 0
    check "$1: it says nothing" same "$(cat stdout)" ''
    check "$1: one line of summary" same "$(wc -l <stderr)" 1
    clients=$(sed -n 's/.* of \([0-9]*\) clients.*/\1/p' stderr)
    check "$1: clients" same "${clients:-1}" "$3"
    check "$1: it can be replayed" replay "$1.gft"
    if [ "$2" != any ]; then
        check "$1: submissions" same "$submissions" "$2"
    fi
    check "$1: every completion value is reached" all_reached
    "$counts" -p "$1.gft" >counted 2>&1
    check "$1: processes that submit" same "$(sed -n 's/^processes //p' counted)" "$4"
    check "$1: nothing is left" is_empty "$TMPDIR"
}

mode several 20 4 4  # processes at once, each a client
mode fork 46 1 5     # children share the parent's file: one client
mode exec 10 1 1     # and so does another program
mode prime 13 2 2    # a buffer object goes to another process, and lives in its descriptor
mode pass 10 1 2     # the node's descriptor itself does
mode close 25 2 1    # close_range, closefrom, a loop over all descriptors
mode signals any 2 1 # handlers for faults, and one that itself submits
mode threads 180 36 5
mode flink 12 2 2 # a name goes, and a process leaves all open
"$counts" -p flink.gft >counted
check 'what a process left open is ended' same "$(sed -n 's/^channels //p' counted)" '2, ended 2'
check 'also its mappings' same "$(sed -n 's/^mappings //p' counted)" '5, ended 5'

# --- kill -9 ----------------------------------------------------------------------------------

# The program prints how many submissions have returned: all of them are in the trace.
n=1
while [ $n -le 14 ]; do
    timeout 60 "$gfe" record -q -o "die.gft" -- "$client" die $n >stdout 2>stderr
    check "killed before call $n: 137" same $? 137
    check "killed before call $n: it can be replayed" replay die.gft
    check "killed before call $n: all that it submitted" same "${submissions:-0}" "$(wc -l <stdout)"
    check "killed before call $n: completion values" all_reached
    n=$((n + 1))
done

# A child that shares the parent's file is killed; its parent and others go on: 1 + 5 + 20, and what
# the child did.
for n in 1 3 6 7 8 9 12 14; do
    timeout 60 "$gfe" record -q -o kill.gft -- "$client" kill $n >stdout 2>stderr
    check "a child killed before call $n: 137" same $? 137
    check "a child killed before call $n: nothing is said" same "$(cat stderr)" ''
    check "a child killed before call $n: it can be replayed" replay kill.gft
    check "a child killed before call $n: the others" test "${submissions:-0}" -ge 26
    check "a child killed before call $n: completion values" all_reached
done

# With the lock held, at each step that the library takes: the lock goes to the next process, which
# finds whole tables.
if [ -r "$broken" ]; then
    n=1
    while [ $n -le 120 ]; do
        GFE_RECORD_LIBRARY=$broken GFE_RECORD_BREAK=die:$n timeout 60 "$gfe" record -q -o lock.gft \
            -- "$client" kill 0 >stdout 2>stderr
        status=$?
        [ $status = 0 ] && break
        check "killed at step $n in the library: 137" same $status 137
        check "killed at step $n in the library: it can be replayed" replay lock.gft
        check "killed at step $n in the library: the others" test "${submissions:-0}" -ge 26
        check "killed at step $n in the library: completion values" all_reached
        n=$((n + 3))
    done
    check 'killed at a step in the library: it happened' test $n -gt 20
fi

# gfe record and all that it recorded are killed.
"$gfe" record -q -o never.gft -- "$client" die 0 >stdout 2>stderr &
gfe_pid=$!
background=$gfe_pid
tries=0
while [ "$(wc -l <stdout)" -lt 50 ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -9 $gfe_pid
wait $gfe_pid 2>/dev/null
directory=$(echo "$TMPDIR"/gfe-record-*)
"$gfe" record --recover "$directory" -o recovered.gft >out 2>err
check 'a recording that goes on is not recovered' same $? 1
pkill_client() # the only process whose parent is not here any more
{
    for status in /proc/[0-9]*/status; do
        pid=${status#/proc/}
        pid=${pid%/status}
        if [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$(readlink -f "$client")" ] &&
            grep -qz "GFE_RECORD_DIRECTORY=$directory" "/proc/$pid/environ" 2>/dev/null; then
            kill -9 "$pid"
        fi
    done
}
pkill_client
tries=0
while ! "$gfe" record --recover "$directory" -o recovered.gft >out 2>err && [ $tries -lt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
check 'gfe record --recover makes a trace of all parts' test -s recovered.gft
check 'it can be replayed' replay recovered.gft
check 'with all that was submitted' test "${submissions:-0}" -ge "$(wc -l <stdout)"
check 'and every completion value' all_reached
check 'nothing is left' is_empty "$TMPDIR"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
