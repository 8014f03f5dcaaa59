#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe scrub from a recording to a replay: the events stay the same, what the program had in its memory
# is gone. And what gfe record keeps of the command line and the environment: nothing.
#
# PROMISE (traces): `gfe scrub` removes the secrets of a program's arguments and environment, and
# its log stays as it was.
set -u

# shellcheck disable=SC2154 # both are set by make
root=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
build=$(cd "$top_builddir" && pwd)
gfe=$build/gfe
cat=$build/tests/trace_cat
clients=$build/tests/clients
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

not() # COMMAND...
{
    ! "$@"
}

holds() # TRACE WORD
{
    "$cat" "$1" | grep -aq -- "$2"
}

# Replays both under options; the same events?
same_events() # TRACE TRACE OPTION...
{
    one=$1
    two=$2
    shift 2
    "$gfe" run "$@" -o one.gfl "$one" >/dev/null && "$gfe" run "$@" -o two.gfl "$two" >/dev/null &&
        [ "$("$gfe" hash --events one.gfl two.gfl | cut -d' ' -f1 | uniq | wc -l)" -eq 1 ]
}

# --- every recording ------------------------------------------------------------------------------

scrubs() # TRACE
{
    "$gfe" scrub --strings strings "$1" -o new.gft >report 2>errors
    check "$1 is scrubbed" [ $? -eq 0 ]
    check "$1: nothing is said on standard error" [ ! -s errors ]
    check "$1: the first try is right" grep -q '(1 try)' report
    check "$1: hardly a string is left" [ "$(wc -l <strings)" -le 1 ]
    check "$1: and those are short" [ "$(awk 'length > 22' strings | wc -l)" -eq 0 ]
    check "$1: the events are the same" same_events "$1" new.gft
    check "$1: and for other times" same_events "$1" new.gft --open-loop --seed 7
    check "$1: and for a slow PBDMA" same_events "$1" new.gft --param nv.pbdma.dword_cycles=100000
    check "$1: it can be decoded" sh -c "'$gfe' decode new.gft >/dev/null"
}

for name in clear compute triangle upload gtx680 rtx2060; do
    scrubs "$root/tests/golden/$name.gft"
done
"$gfe" run -o one.gfl "$root/tests/golden/clear.gft" >/dev/null
"$gfe" run -o two.gfl "$root/tests/golden/triangle.gft" >/dev/null
check 'gfe hash --events tells logs apart' \
    [ "$("$gfe" hash --events one.gfl two.gfl | cut -d' ' -f1 | uniq | wc -l)" -eq 2 ]

# --- the command ----------------------------------------------------------------------------------

clear=$root/tests/golden/clear.gft
"$gfe" scrub --json "$clear" -o new.gft >report
check 'the report is JSON' grep -q '"removed_bytes": [1-9]' report
"$gfe" scrub "$clear" -o - >piped.gft 2>report
check 'standard output takes the trace' [ $? -eq 0 ]
check 'it is the same there' cmp new.gft piped.gft
check 'the report is then on standard error' grep -q 'removed' report
"$gfe" scrub --unverified "$clear" -o new.gft >report
check 'a trace that is not compared says so' grep -q 'not compared' report
cp "$clear" itself.gft
"$gfe" scrub itself.gft -o itself.gft >report 2>errors
check 'a trace does not replace itself' [ $? -eq 2 ]
check 'and is still there' cmp "$clear" itself.gft
"$gfe" scrub --max-events 5 "$clear" -o none.gft >report 2>errors
check 'a trace that cannot be replayed is not scrubbed' [ $? -eq 1 ]
check 'and nothing is written' [ ! -e none.gft ]

# --- secrets --------------------------------------------------------------------------------------

skipped=
driver=
for file in /usr/lib/*/dri/nouveau_dri.so /usr/lib64/dri/nouveau_dri.so /usr/lib/dri/nouveau_dri.so; do
    [ -r "$file" ] && driver=$file
done
if [ -x "$clients/gl_compute" ] && [ -n "$driver" ]; then
    mkdir own-folder-4711
    cp "$clients/gl_compute" own-folder-4711
    GFE_TEST_SECRET=environment-4711 "$gfe" record -q -o secret.gft -- \
        own-folder-4711/gl_compute argument-4711 >/dev/null 2>errors
    check 'a program with secrets is recorded' [ $? -eq 0 ]
    check 'the search finds what is there' holds secret.gft gl_compute
    for word in environment-4711 argument-4711 own-folder-4711 GFE_TEST_SECRET LD_PRELOAD "$work" \
        "$(uname -n)"; do
        check "'$word' does not get into the trace" not holds secret.gft "$word"
    done
    scrubs secret.gft
    check 'not even the name of the program is left' not holds new.gft gl_compute
    "$gfe" scrub --keep-host secret.gft -o new.gft >/dev/null
    check 'unless it is to stay' holds new.gft gl_compute
    "$gfe" record --keep-command-line -o asked.gft -- "$clients/gl_compute" argument-4711 two \
        >/dev/null 2>errors
    check 'the summary speaks of private memory' grep -q 'private memory' errors
    check 'the command line is in a trace that is to have it' \
        holds asked.gft 'gl_compute argument-4711 two'
    GFE_RECORD_COMMAND=argument-4711 "$gfe" record -q -o asked.gft -- "$clients/gl_compute" >/dev/null
    check 'and in no other, whatever the environment says' not holds asked.gft argument-4711
    # What the program uploads is in the recording and not in what is left of it.
    "$gfe" record -q -o upload.gft -- "$clients/gl_upload" >/dev/null 2>errors
    scrubs upload.gft
else
    skipped='; skipped: recordings (clients or nouveau_dri.so are missing)'
fi

[ "$failures" -gt 0 ] || echo "test_scrub: passed$skipped"
[ "$failures" -eq 0 ]
