#!/bin/sh
# SPDX-License-Identifier: MIT
# Recording a program that uploads more than 200 MB of textures: gfe record itself, and what the
# recorder takes in the program, stay below 64 MiB; the trace replays, and every copy is made.
#
# At the end a process that holds 90 MB, to prove that the bound sees something.
#
# PROMISE (traces): Recording more than 200 MB of textures stays below 64 MiB in `gfe record` and
# in the recorded program.
set -u

# shellcheck disable=SC2154 # both are set by make
gfe=$top_builddir/gfe
# shellcheck disable=SC2154
tests=$top_builddir/tests
bound=65536
objects=204
[ "$(uname -s)" = Linux ] || exit 77
if [ -x "$tests/gfe_wrapped" ]; then
    echo 'skipped: a build with sanitizers, which take memory of their own'
    exit 77
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
case $gfe in /*) ;; *) gfe=$PWD/$gfe tests=$PWD/$tests ;; esac
cd "$work" || exit 1
TMPDIR=$work
export TMPDIR
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

is_below() # KIB BOUND
{
    [ -n "$1" ] && [ "$1" -gt 0 ] && [ "$1" -lt "$2" ]
}

not() # COMMAND...
{
    ! "$@"
}

# --- what it takes ----------------------------------------------------------------------------

"$tests/peak_memory" peak "$gfe" record -q -o upload.gft -- \
    "$tests/clients/drm_upload" $objects 1024 0 4096 texture >uploaded 2>stderr
status=$?
if [ $status = 77 ]; then
    echo "skipped: $(cat stderr)"
    exit 77
fi
check "the program ends well: $(cat stderr)" test $status = 0
check 'the trace has more than 200 MB' test "$(wc -c <upload.gft)" -gt 200000000
peak=$(cat peak)
check "gfe record takes less than 64 MiB ($peak KiB)" is_below "$peak" $bound
used=$(awk '/^anonymous|^files/ { kib += $2 } END { print kib }' uploaded)
check "the recorder takes less than 64 MiB in the program ($used KiB)" is_below "$used" $bound
echo "gfe record: $peak KiB; the recorder in the program: $used KiB"

"$tests/peak_memory" peak "$gfe" run -o upload.gfl upload.gft >summary 2>stderr
check "its trace replays: $(cat stderr)" test $? = 0
check 'and all its fences are reached' grep -q '^  fences *\([0-9]*\) of \1 reached' summary
check 'and all textures are copied' grep -q "^  copies *$objects, $((objects * 1048576)) bytes" summary
[ $failures = 0 ] || cat summary

# --- would too much be noticed? ---------------------------------------------------------------

head -c 100000000 /dev/zero | "$tests/peak_memory" peak tail -c 90000000 >/dev/null
check 'a process that holds 90 MB is noticed' not is_below "$(cat peak)" $bound
"$tests/peak_memory" peak sh -c 'head -c 100000000 /dev/zero | tail -c 90000000 >/dev/null'
check 'one that only starts such a process is not' is_below "$(cat peak)" $bound

echo "$checks checks, $failures failed"
[ $failures = 0 ]
