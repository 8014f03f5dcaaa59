#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record with Mesa's driver: what is recorded, what the program notices (nothing), what is left
# behind (nothing), whatever dies. Skipped when the driver or the clients are not there.
#
# The broken variants at the end prove that the comparisons before them see something.
set -u

# shellcheck disable=SC2154 # both are set by make
root=$top_srcdir
# shellcheck disable=SC2154
gfe=$top_builddir/gfe
clients=$top_builddir/tests/clients
counts=$top_builddir/tests/record_counts
golden=$root/tests/golden
broken=$top_builddir/libgfe-record-broken.so
mesa=22.3.6 # the version that tests/golden was counted for

skip() # WHY
{
    echo "skipped: $1"
    exit 77
}

[ -x "$clients/gl_clear" ] || skip 'the clients are not built (EGL and GLESv2 headers)'
found=
for driver in /usr/lib/*/dri/nouveau_dri.so /usr/lib64/dri/nouveau_dri.so /usr/lib/dri/nouveau_dri.so; do
    [ -r "$driver" ] && found=$driver
done
[ -n "$found" ] || skip 'nouveau_dri.so is not installed (libgl1-mesa-dri)'

work=$(mktemp -d) || exit 1
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
cd "$work" || exit 1
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
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK LIBGL_DRIVERS_PATH

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

same() # STATUS EXPECTED
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

counts_are_golden() # NAME: of NAME.gft
{
    grep -v '^#' "$golden/record_$1.txt" >expected
    "$counts" "$1.gft" >counted 2>&1
    cmp -s expected counted || { diff expected counted | head -8; return 1; }
}

one_line() # FILE
{
    same "$(wc -l <"$1")" 1
}

# Polls up to ten seconds; what it waits for always comes, soon.
wait_for() # COMMAND...
{
    tries=0
    while [ $tries -lt 200 ] && ! "$@"; do
        sleep 0.05
        tries=$((tries + 1))
    done
    [ $tries -lt 200 ]
}

has_submissions() # a recording is under way and has chunks
{
    for part in "$TMPDIR"/gfe-record-*/part-*.gft; do
        [ -s "$part" ] && [ "$(wc -c <"$part")" -gt 20000 ] && return 0
    done
    return 1
}

# docs/replay.md shows what a recording of it gives: all but the times of the computer, and what comes of them.
sample() # FILE
{
    sed -e '/^ *simulated time/d' -e 's/[0-9.]* %$/%/' -e 's/longest [0-9.]* ns$/longest/' "$1"
}

# --- what is recorded -----------------------------------------------------------------------

"$gfe" record -q -o gl_clear.gft -- "$clients/gl_clear" >stdout 2>stderr
check 'a recorded program ends well' same $? 0
check 'the driver sees a GTX 1060' matches stdout 'nouveau, NV136'
if grep -q "Mesa $mesa" stdout; then
    check 'gl_clear gives the golden counts' counts_are_golden gl_clear
    for name in gl_triangle gl_compute gl_upload; do
        "$gfe" record -q -o $name.gft -- "$clients/$name" >stdout 2>stderr
        check "$name ends well" same $? 0
        check "$name gives the golden counts" counts_are_golden $name
        check "$name leaves nothing in TMPDIR" is_empty "$TMPDIR"
        check "the driver has nothing to say about $name" same "$(cat stderr)" ''
    done
    awk '/^    compute.gft on gtx1060, seed 0$/ { shown = 1 } shown && /^$/ { exit } shown { print substr($0, 5) }' \
        "$top_srcdir/docs/replay.md" >page
    sample page >expected
    cp gl_compute.gft compute.gft
    "$counts" compute.gft >counted
    "$gfe" run -o compute.gfl compute.gft >summary 2>stderr
    sample summary >found
    check 'the summary in docs/replay.md is that of such a recording' cmp expected found
    check 'and docs/replay.md has a summary' test "$(wc -l <expected)" -gt 30
    completions=$(sed -n 's/.*`gfe record` said \*\([0-9]*\) completions\*.*/\1/p' "$top_srcdir/docs/replay.md")
    check 'completions are as many as docs/replay.md says' matches counted "^completions $completions\$"
else
    echo "the counts are not compared: this Mesa is not $mesa"
    "$gfe" record -q -o gl_compute.gft -- "$clients/gl_compute" >stdout 2>stderr
fi
"$counts" -w gl_compute.gft >waits
check 'glFinish is recorded as a wait' same "$(grep -c '^glFinish after submission [1-9]' waits)" 2
check 'mapping a buffer is recorded as a wait' matches waits '^GEM_CPU_PREP'
"$gfe" record -q -o gl_threads.gft -- "$clients/gl_threads" >stdout 2>stderr
check 'a program with threads ends well' same $? 0
"$counts" -w gl_threads.gft >waits
check 'both threads and main submit' same "$(tail -1 waits)" 'threads 3'
check 'each wait of each thread is there' same "$(grep -c '^glFinish' waits)" 6
"$gfe" record -q -o gl_wait.gft -- "$clients/gl_wait" >stdout 2>stderr
check 'a program that waits in many ways ends well' same $? 0
"$counts" -w gl_wait.gft | sed -n 's/^\(gl[A-Za-z]*\) after submission [1-9].*/\1/p' >waits
printf 'glClientWaitSync\nglFinish\nglReadPixels\n' >expected
check 'each is recorded, once' cmp waits expected

"$gfe" record -q --gpu gtx1060-3gb -o 3gb.gft -- "$clients/gl_clear" >stdout 2>stderr
check 'the 3 GB board can be recorded' same $? 0

"$gfe" record -q -o twice.gft -- sh -c "'$clients/gl_clear'; '$clients/gl_clear' || :" >/dev/null 2>&1
check 'two processes can be recorded' same $? 0
"$counts" twice.gft >counted
once=$("$counts" gl_clear.gft | sed -n 's/^submissions \([0-9]*\),.*/\1/p')
check 'both are in the trace' matches counted "^submissions $((2 * once)),"

# --- what it costs ---------------------------------------------------------------------------

# More memory of the GPU than the recorder may take of its own.
"$gfe" record -q -o upload.gft -- "$clients/drm_upload" 72 1024 50 64 >uploaded 2>stderr
check 'a program with 72 MiB of buffers ends well' same $? 0
used=$(awk '/^anonymous|^files/ { kib += $2 } END { print kib }' uploaded)
check "the recorder takes less than 64 MiB in it ($used KiB)" test "${used:-99999}" -lt 65536
"$gfe" run -o upload.gfl upload.gft >summary 2>stderr
check 'its trace replays' same $? 0
check 'and all its fences are reached' matches summary '^  fences *2 of 2 reached'
rm -f upload.gft upload.gfl

# --- what the program notices ---------------------------------------------------------------

script="printf 'out\\377'; printf 'err\\377' >&2; '$clients/gl_clear' >/dev/null; exit 7"
"$gfe" record -q -o quiet.gft -- sh -c "$script" >stdout 2>stderr
check 'the exit status is the program'"'"'s' same $? 7
printf 'out\377' >expected
check 'nothing is added to standard output' cmp stdout expected
printf 'err\377' >expected
check 'with -q nothing is added to standard error' cmp stderr expected
"$gfe" record -o loud.gft -- sh -c "$script" >stdout 2>stderr
check 'without -q one line follows' same "$(tail -n +1 stderr | grep -ac 'gfe: loud.gft: 6 submissions')" 1
check 'it says whose values were read back' matches stderr "the stand-in's"
head -c 4 stderr >start
check 'and nothing stands before it' cmp start expected
"$gfe" record -q -o env.gft -- sh -c "'$clients/gl_clear' >/dev/null; cat" <"$golden/record_gl_clear.txt" >stdout
check 'standard input is the program'"'"'s' cmp stdout "$golden/record_gl_clear.txt"
check 'nothing is left in TMPDIR' is_empty "$TMPDIR"

rm -f victim
"$gfe" record -o closed.gft -- "$clients/gl_close" victim >stdout 2>stderr
check 'a program that closes what it does not know goes on' matches stdout 'gl_close: done'
check 'and is recorded to its end' matches stderr 'closed.gft: 8 submissions'
check 'nothing is written to its file' test ! -s victim
"$counts" closed.gft >counted 2>&1
check 'its trace can be read' same $? 0

# --- death ----------------------------------------------------------------------------------

for rounds in 0 1 40 1000; do
    "$gfe" record -o killed.gft -- "$clients/gl_clear" $rounds kill >/dev/null 2>stderr
    check "kill -9 after $rounds rounds gives 137" same $? 137
    "$counts" killed.gft >counted 2>&1
    check "its trace can be read after $rounds rounds" same $? 0
    submissions=$(sed -n 's/^submissions \([0-9]*\),.*/\1/p' counted)
    check "and has all that was submitted ($rounds)" test "${submissions:-0}" -ge "$rounds"
    check "and nothing is left ($rounds)" is_empty "$TMPDIR"
done

for signal in KILL TERM; do
    rm -f pid
    "$gfe" record -q -o stopped.gft -- sh -c "echo \$\$ >pid; exec '$clients/gl_clear' 1000000000" \
        >/dev/null 2>stderr &
    gfe_pid=$!
    background="$background $gfe_pid"
    check 'the endless program submits' wait_for has_submissions
    program_pid=$(cat pid)
    background="$background $program_pid"
    if [ $signal = KILL ]; then
        kill -9 "$program_pid"
        expected_status=137
    else
        kill -TERM $gfe_pid
        expected_status=143
    fi
    wait $gfe_pid
    check "SIG$signal in the middle gives $expected_status" same $? $expected_status
    "$counts" stopped.gft >counted 2>&1
    check "SIG$signal in the middle leaves a readable trace" same $? 0
    check "SIG$signal in the middle leaves nothing else" is_empty "$TMPDIR"
done

# What PROGRAM leaves running is waited for, and all of it is recorded.
"$gfe" record -o waited.gft -- sh -c "'$clients/gl_clear' 300 >/dev/null & exit 3" 2>stderr
check 'the exit status is that of the program in front' same $? 3
"$counts" waited.gft >counted 2>&1
submissions=$(sed -n 's/^submissions \([0-9]*\),.*/\1/p' counted)
check 'what ran on is recorded to its end' test "${submissions:-0}" -ge 300
check 'and none is said to go on' not grep -q 'goes on' stderr

rm -f pid
"$gfe" record -q --end-rest -o ended.gft -- sh -c "'$clients/gl_clear' 1000000000 >/dev/null & echo \$! >pid
    sleep 1" 2>stderr
check 'what is to be ended is: the exit status' same $? 0
check 'what is to be ended is not there any more' not kill -0 "$(cat pid)" 2>/dev/null
"$counts" ended.gft >counted 2>&1
check 'what it did before is there' same $? 0
check '--end-rest says nothing' same "$(cat stderr)" ''

# A signal ends the waiting: the process gets it, and is told of if it goes on.
rm -f pid
"$gfe" record -o daemon.gft -- sh -c "(trap '' TERM; exec '$clients/gl_clear' 1000000000) >/dev/null & echo \$! >pid" \
    >/dev/null 2>stderr &
gfe_pid=$!
background="$background $gfe_pid"
check 'the background process submits' wait_for has_submissions
background="$background $(cat pid)"
check 'gfe says for what it waits' wait_for grep -q 'gfe waits for what it started' stderr
kill -TERM $gfe_pid
wait $gfe_pid
check 'the exit status is still that of the program in front' same $? 0
check 'a recorded process that goes on is told of' matches stderr 'goes on'
"$counts" daemon.gft >counted 2>&1
check 'what it did before is there, too' same $? 0
check 'it goes on' kill -0 "$(cat pid)"
kill -9 "$(cat pid)"
check 'and leaves nothing' is_empty "$TMPDIR"

leave_behind() # a gfe record that was killed, and then its program
{
    rm -f pid
    "$gfe" record -o never.gft -- sh -c "echo \$\$ >pid; exec '$clients/gl_clear' 1000000000" \
        >/dev/null 2>&1 &
    gfe_pid=$!
    background="$background $gfe_pid"
    wait_for has_submissions || return 1
    background="$background $(cat pid)"
    kill -9 $gfe_pid
    wait $gfe_pid 2>/dev/null
    behind=$(echo "$TMPDIR"/gfe-record-*)
}

check 'gfe record can be killed' leave_behind
"$gfe" record --recover "$behind" -o recovered.gft >stdout 2>stderr
check 'a recording that goes on is not recovered' same $? 1
check 'and it says so' matches stderr 'still in use'
"$gfe" record -q -o meanwhile.gft -- "$clients/gl_clear" >stdout 2>stderr
check 'a recording that goes on is not swept away' test -d "$behind"
kill -9 "$(cat pid)"
check 'its program ends' wait_for not kill -0 "$(cat pid)" 2>/dev/null
"$gfe" record --recover "$behind" -o recovered.gft >stdout 2>stderr
check '--recover makes a trace' same $? 0
"$counts" recovered.gft >counted 2>&1
check 'that can be read' same $? 0
check 'and cleans up' is_empty "$TMPDIR"
"$gfe" record --recover "$TMPDIR" -o again.gft >stdout 2>stderr
check '--recover refuses other directories' same $? 1
check 'a failed --recover leaves no file' test ! -e again.gft

check 'gfe record can be killed again' leave_behind
check 'a recording that goes on is not cleaned away' same "$("$gfe" record --clean 2>&1)" ''
check 'and stays' test -d "$behind"
kill -9 "$(cat pid)"
check 'its program ends, too' wait_for not kill -0 "$(cat pid)" 2>/dev/null
"$gfe" record -o after.gft -- "$clients/gl_clear" >stdout 2>stderr
check 'the next gfe record says what was left' matches stderr "$behind was left by"
check 'and does not touch it' test -s "$behind/part-000000.gft"
"$gfe" record -q -o after.gft -- "$clients/gl_clear" >stdout 2>stderr
check 'with -q it says nothing' same "$(cat stderr)" ''
"$gfe" record --clean >stdout 2>stderr
check '--clean ends well' same $? 0
check '--clean says what it deleted' same "$(cat stderr)" "gfe: $behind: deleted"
check 'and nothing is left then' is_empty "$TMPDIR"
check 'the killed one left no trace' test ! -e never.gft

# --- a disk that is full at the end, and damage ------------------------------------------------

"$gfe" record -q -o /dev/full -- "$clients/drm_upload" 4 1024 50 64 >uploaded 2>stderr
check 'a trace that cannot be written: exit status 1' same $? 1
check 'in one line' one_line stderr
behind=$(echo "$TMPDIR"/gfe-record-*)
check 'what was recorded is kept, and the line says how to go on' \
    matches stderr "No space left on device; what was recorded is kept: gfe record --recover $behind -o /dev/full\$"
cp -r "$behind" whole
"$gfe" record --recover "$behind" -o recovered.gft >stdout 2>stderr
check 'that makes the trace' same $? 0
check 'with all that was recorded' matches stderr 'recovered.gft: [1-9][0-9]* submissions'
all=$(sed -n 's/.*recovered.gft: \([0-9]*\) submissions.*/\1/p' stderr)
check 'only its owner can read it' same "$(stat -c %a recovered.gft)" 600
check 'and nothing is left' is_empty "$TMPDIR"
chmod 644 recovered.gft

# One wrong byte in the middle, in a chunk of a megabyte of textures.
part=whole/part-000000.gft
middle=$(($(wc -c <$part) / 2))
old=$(od -An -tu1 -j $middle -N 1 $part)
# shellcheck disable=SC2059 # the format is the byte
printf "$(printf '\\%03o' $(((old + 77) % 256)))" | dd of=$part bs=1 seek=$middle conv=notrunc 2>/dev/null
"$gfe" record --recover whole -o recovered.gft >stdout 2>stderr
check 'a damaged part: exit status 0' same $? 0
check 'one chunk is left out, and that is said' matches stderr \
    'damaged, and left out: chunks: 1, pieces of memory that lay in them: 0, whole parts: 0 of 1; whole stays'
check 'a trace over one that others could read is private again' same "$(stat -c %a recovered.gft)" 600
"$gfe" run recovered.gft >summary 2>&1
status=$?
check 'it replays; what waits for lost bytes is work left' test $status = 0 -o $status = 3
left=$(sed -n 's/.*recovered.gft: \([0-9]*\) submissions.*/\1/p' stderr)
check "nearly all is there ($left of $all submissions)" test "${left:-0}" -ge $((all * 2 / 3))
ln -s /no/such/part whole/part-000001.gft
"$gfe" record -q --recover whole -o recovered.gft >stdout 2>stderr
check 'a part that is not there costs that part only' matches stderr \
    'whole parts: 1 of 2, the first one: .*part-000001.gft: No such file'
check 'and what is damaged stays' test -s whole/part-000000.gft
rm -rf whole

# --- a small disk ------------------------------------------------------------------------------

if mkdir small && mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    TMPDIR=$work/small "$gfe" record -q -o small.gft -- "$clients/gl_clear" 300 >stdout 2>stderr
    status=$?
    left=$(ls -A small)
    umount small
    check 'a small disk: the program goes on to its end' matches stdout 'gl_clear: done'
    check 'the status says that something is missing' same $status 1
    check 'and so does the one line' matches stderr 'incomplete: .*No space left on device (TMPDIR: '
    check 'what fitted can be read' "$gfe" run small.gft -o small.gfl >summary
    check 'nothing is left on the small disk' same "$left" ''
    mount -t tmpfs -o size=4k tmpfs small
    TMPDIR=$work/small "$gfe" record -q -o tiny.gft -- touch started 2>stderr
    check 'a disk without room: status 1' same $? 1
    umount small
    check 'in one line' one_line stderr
    check 'and before the program starts' test ! -e started
else
    echo 'a small disk is not tried: no right to mount one'
fi

# --- refusals -------------------------------------------------------------------------------

refused() # SENTENCE PATTERN ARGUMENT...
{
    sentence=$1
    pattern=$2
    shift 2
    rm -f started stdout stderr
    "$gfe" record "$@" >stdout 2>stderr
    check "$sentence: exit status 1" same $? 1
    check "$sentence: the message" matches stderr "^gfe: .*$pattern"
    check "$sentence: in one line" one_line stderr
    check "$sentence: nothing on standard output" same "$(cat stdout)" ''
    check "$sentence: no trace" test ! -e refused.gft
    check "$sentence: nothing left" is_empty "$TMPDIR"
}

refused 'no such program' 'no such program' -o refused.gft -- no-such-program-here
refused 'no such file' 'No such file' -o refused.gft -- ./no-such-file
refused 'a directory' 'a directory' -o refused.gft -- "$work"
echo 'text' >text
refused 'a file that is not executable' 'not executable' -o refused.gft -- ./text
printf '#!/no/such/interpreter\n' >script
chmod +x script
refused 'a script without its interpreter' '/no/such/interpreter' -o refused.gft -- ./script
cp "$(command -v ls)" setuid
chmod u+s setuid
refused 'a set-uid program' 'set-uid' -o refused.gft -- ./setuid
refused 'a program without a GPU' 'never opened the GPU' -o refused.gft -- true
refused 'nor with the GPU of another vendor' 'ROCm needs --gpu radeon-vii' -o refused.gft -- true
refused 'an output in no directory' 'no/such' -o no/such/refused.gft -- touch started
check 'a program is not started for an output that cannot be written' test ! -e started
refused 'an output that is a directory' "$TMPDIR" -o "$TMPDIR" -- touch started
check 'nor for a directory' test ! -e started
(ulimit -f 1000 && "$gfe" record -o refused.gft -- touch started) >stdout 2>stderr
check 'a limit on the size of files is told' matches stderr 'File too large'
check 'in one line, before the program starts' one_line stderr
check 'and nothing is left' is_empty "$TMPDIR"
LIBGL_DRIVERS_PATH=/no/such/drivers
export LIBGL_DRIVERS_PATH
refused 'a missing driver' 'libgl1-mesa-dri' -o refused.gft -- "$clients/gl_clear"
unset LIBGL_DRIVERS_PATH
echo precious >kept.gft
"$gfe" record -o kept.gft -- true >stdout 2>stderr
check 'an existing file keeps its contents on failure' same "$(cat kept.gft)" precious
"$gfe" record -- >stdout 2>stderr
check 'no program at all is wrong usage' same $? 2
"$gfe" record --gpu voodoo -- true >stdout 2>stderr
check 'an unknown GPU is wrong usage' same $? 2

# --- broken variants: each is noticed by a check above -----------------------------------------

unharmed() # STATUS
{
    [ "$1" = 0 ] && cmp -s counted expected
}

if [ -r "$broken" ] && [ -s gl_compute.gft ]; then
    "$counts" gl_compute.gft >expected
    GFE_RECORD_LIBRARY=$broken
    export GFE_RECORD_LIBRARY
    "$gfe" record -q -o broken.gft -- "$clients/gl_compute" >/dev/null 2>&1
    "$counts" broken.gft >counted
    check 'the breakable library without a fault is right' cmp counted expected
    for fault in fence offset pages; do
        rm -f broken.gft
        GFE_RECORD_BREAK=$fault timeout -k 5 4 "$gfe" record -q -o broken.gft -- \
            "$clients/gl_compute" >/dev/null 2>&1
        status=$?
        "$counts" broken.gft >counted 2>&1
        check "the fault '$fault' is noticed" not unharmed $status
        echo "fault '$fault': exit status $status, $(diff expected counted | grep -c '^[<>]') lines differ"
    done
    unset GFE_RECORD_LIBRARY
fi

echo "$checks checks, $failures failed"
[ $failures = 0 ]
