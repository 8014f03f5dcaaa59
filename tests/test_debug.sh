#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe debug without a terminal: sessions of both vendors, of CUDA programs and of a configuration,
# word for word as in tests/golden/debug_*.txt; commands from options, files and a pipe; what goes
# wrong is one line.  GFE_UPDATE_GOLDEN=1 writes the sessions.
#
# PROMISE (debug): Sessions of the debugger print word for word what the golden files hold, and
# each bad line gets one clear line.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
gfe=$(cd "$top_builddir" && pwd)/gfe
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    if ! "$@"; then
        echo "FAILED: $sentence"
        failures=$((failures + 1))
    fi
}

# A session whose commands are those of the golden one: what stands behind "(gfe) ".
session() # NAME TRACE [OPTION...]
{
    golden=$source/tests/golden/debug_$1.txt
    trace=$2
    shift 2
    sed -n 's/^(gfe) //p' "$golden" >commands
    "$gfe" debug --batch -x commands "$@" "$trace" >transcript 2>err || { cat err; return 1; }
    [ ! -s err ] || { cat err; return 1; }
    if [ "${GFE_UPDATE_GOLDEN:-}" ]; then
        cp transcript "$golden"
    fi
    diff "$golden" transcript
}

# Exit status and the line on stderr.
fails() # STATUS LINE ARGUMENT...
{
    wanted=$1
    printf '%s\n' "$2" >line
    shift 2
    "$gfe" debug "$@" >out 2>err </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] && diff line err
}

compute=$source/tests/golden/compute.gft
check 'a recording on an NVIDIA GPU' session compute "$compute"
check 'a recording of ROCm' session kfd "$source/tests/golden/kfd_kernels.gft"
check 'CUDA programs' session cuda "$source/scenarios/amert2017-table1.json" --gpu tx2

# The session in docs/debugger.md: from its first command to the next heading.
sed -n '/^    (gfe)/,/^## /s/^    //p' "$source/docs/debugger.md" >golden
sed -n 's/^(gfe) //p' golden >commands
"$gfe" debug --batch -x commands "$compute" >transcript
check 'the session in the documentation' diff golden transcript

# --- the same place, the same state ---------------------------------------------------------------
"$gfe" debug --batch -e 'goto event:150' -e hash -e 'goto end' -e 'back tick' -e 'goto start' \
    -e 'run event:150' -e hash -e 'poke memory vid:0x100 = 7' -e hash "$compute" |
    grep -E '^[0-9a-f]{64}$' >hashes
check 'by the hash, but for a poke' [ "$(uniq -c hashes | sed 's/^ *//; s/ .*//' | tr '\n' ' ')" = '2 1 ' ]

# --- why one waits ----------------------------------------------------------------------------
"$gfe" debug --batch -e 'goto end' -e 'why K1' "$compute" >why
"$gfe" debug --batch -e 'goto end' -e 'explain K1' "$compute" | sed 's/^(gfe) explain/(gfe) why/' >explained
check 'why K1 says what explain K1 says' diff explained why
check 'which is where its time went' grep -q '^launch:2: K1, 30 blocks' why
"$gfe" debug --batch -e 'break event NV_LAUNCH' -e continue -e 'why K1' "$compute" >why
check 'what its blocks are is known when it is queued' grep -q "^launch:?1: K1, not yet in the dispatcher's queue" why
check 'of what has not begun nothing is known' \
    fails 1 "gfe: why K1: there is no operation 'K1' so far" -e 'why K1' "$compute"

# --- where commands come from -----------------------------------------------------------------
printf 'step\nhash\n' >two
check 'first -e and -x in their order' \
    sh -c '"$1" debug --batch -e step -x two -e "back 2" "$2" | grep "^(gfe)" >shown' - "$gfe" "$compute"
printf '(gfe) %s\n' step step hash 'back 2' >wanted
check 'as they are shown' diff wanted shown
check 'then standard input' \
    sh -c 'printf "# nothing\n\nwhere\nquit\nstep\n" | "$1" debug -e step "$2" >out' - "$gfe" "$compute"
check 'up to quit' [ "$(grep -c '^step ' out)" -eq 2 ]
check 'the end of it is an end' sh -c '"$1" debug "$2" </dev/null' - "$gfe" "$compute"

# --- what goes wrong --------------------------------------------------------------------------
printf 'step\n\nlunch\nstep\n' >bad
check 'a command that is none' fails 1 "gfe: bad:3: there is no command 'lunch'; help lists them" \
    -x bad "$compute"
check 'ends the session' [ "$(grep -c '^step ' out)" -eq 1 ]
check 'one that is two' fails 1 "gfe: wh: 'wh' may be where or why" -e wh "$compute"
check 'a unit that is none' \
    fails 1 "gfe: step lunch: 'lunch': steps are by event, tick, method, packet, slice or kernel" \
    -e 'step lunch' "$compute"
check 'back behind step' \
    fails 1 "gfe: step back: 'back': steps are by event, tick, method, packet, slice or kernel; 'back' alone goes back, 'back method' by one" \
    -e 'step back' "$compute"
check 'a place that is none' \
    fails 1 "gfe: goto 5: '5' is no place of a run: a time such as 2ms, event:N, step:N, start, end" \
    -e 'goto 5' "$compute"
check 'a file that is not there' fails 1 'gfe: none: cannot be opened: No such file or directory' \
    -x none "$compute"
check 'a trace that is none' fails 1 'gfe: none.gft: No such file or directory' none.gft
check 'no trace' fails 2 'gfe debug: TRACE or CONFIG.json is missing; usage: gfe debug [OPTION...] TRACE | CONFIG.json... (see gfe debug --help)'
"$gfe" debug --batch -e hash "$compute" >/dev/full 2>err
check 'a full disk' [ $? -eq 1 ]
check 'is one line' [ "$(wc -l <err)" -eq 1 ]

exit "$((failures > 0))"
