#!/bin/sh
# SPDX-License-Identifier: MIT
# What every command owes its user: help on stdout and status 0; wrong usage one line and status 2;
# bad input or an output that cannot be written one line and status 1, nothing left behind, no crash.
#
# PROMISE (program): Bounds of events, time, memory and expansion stop a run with a message that
# names the option which raises the bound.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd)
gfe=$(cd "$top_builddir" && pwd)/gfe
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0
: "${TMPDIR:=/tmp}"

fail()
{
    printf 'FAILED: %s\n' "$*"
    sed 's/^/    /' said 2>/dev/null || true
    failures=$((failures + 1))
}

[ -r "$top_srcdir/tests/fuzz/corpus/trace/whole.gft" ] || { echo 'set top_srcdir'; exit 1; }

# Runs gfe; what it prints goes to the files `printed` and `said`, the exit status to $status.
try()
{
    status=0
    timeout 60 "$gfe" "$@" >printed 2>said </dev/null || status=$?
}

expect() # STATUS LINES-ON-STDERR WORDS...
{
    [ "$status" -eq "$1" ] || fail "gfe $3: status $status instead of $1"
    [ "$(wc -l <said)" -eq "$2" ] || fail "gfe $3: $(wc -l <said) lines on stderr instead of $2"
}

# --- the program itself -----------------------------------------------------------------------

try --help
expect 0 0 --help
commands=$(awk '/^usage:/ { on = 1; next } /^A first round/ { on = 0 } on && NF > 1 { print $1 }' printed)
for command in calibrate campaign check compare debug decode diff discriminate explain gpus hash import inject inspect live occupancy \
    record regs rules run scrub selftest show xid; do
    printf '%s\n' "$commands" | grep -qx "$command" || fail "gfe --help does not name $command"
done
try --version
expect 0 0 --version
try
[ "$status" -eq 2 ] || fail "gfe: status $status instead of 2"
[ -s said ] || fail 'gfe alone does not say how to use it'
try nonsense
expect 2 1 nonsense
try --nonsense
expect 2 1 --nonsense

# --- every command: help and wrong usage --------------------------------------------------------

for command in $commands; do
    try "$command" --help
    expect 0 0 "$command --help"
    grep -q "^usage: gfe $command" printed || fail "gfe $command --help says no usage"
    [ "$(awk 'length > 100' printed | wc -l)" -eq 0 ] || fail "gfe $command --help is too wide"
    try "$command" --no-such-option
    expect 2 1 "$command --no-such-option"
    [ ! -s printed ] || fail "gfe $command --no-such-option prints on stdout"
    grep -q "gfe $command --help" said || fail "gfe $command: the error does not point to the help"
    try "$command" --help=3
    expect 2 1 "$command --help=3"
done
for words in decode explain hash import record run scrub show 'scrub x' 'scrub - -o y' 'import nvt' 'import raw' 'import nonsense x -o y' \
    'decode a b' 'explain a b c' 'explain --top 0 a' 'explain --top 3 a K1' \
    'explain --rules a K1' 'explain --rules --top 3 a' 'explain --only thing a' 'run a b' 'show a b' \
    'show --as csv --width 100 a' 'show --as perfetto --width 1000 a' 'show --as events --no-cuts a' \
    'show --as svg --ascii a' 'show --as svg --view sms a' 'show --view sm a' 'show --as csv --view all a' 'show --as summary --from 1ms a' 'show --as summary --to 1ms a' \
    'show --as perfetto --no-cuts a' 'show --as html --ascii a' 'show --as html --view all a' 'show --as events-csv --ascii a' 'show --as vcd --width 500 a' \
    'regs nonsense' 'regs nv_pbdma nonsense' 'regs a b c' 'regs --class nonsense' 'regs --new nonsense' 'regs --new ADA_' \
    'regs --class c997 nonsense' 'regs --class c997 a b' 'regs --new c997 a' 'regs --classes a' 'regs --classes --new c997' \
    'regs --gpu gtx1060 --class c197' 'regs --generation Ada --new c997' 'regs --class' \
    'rules nonsense' 'gpus nonsense' 'rules a b' 'gpus a b' 'gpus --from nonsense a' 'gpus --from nvdebug' 'gpus --from nvdebug a b'; do
    # shellcheck disable=SC2086 # words are words
    try $words
    expect 2 1 "$words"
done

# What is missing is named.
missing() # WHAT ARGUMENT...
{
    what=$1
    shift
    try "$@"
    expect 2 1 "$*"
    grep -q "^gfe $1: $what is missing; usage: gfe $1 " said || fail "gfe $*: $(cat said)"
}
missing PROGRAM record
missing PROGRAM record --gpu gtx1060 -o x.gft --
missing PROGRAM live --gpu radeon-vii
missing 'TRACE or CONFIG.json' run
missing 'TRACE|FILE' decode
missing TRACE scrub -o y
missing LOG explain
missing LOG diff
missing LOG diff a
missing LOG show --as svg
missing LOG inspect
missing VIEW inspect a
missing VIEW inspect --gpu gtx1060
missing KIND import
missing LINE xid
missing FILE import raw
missing FILE hash
missing FILE check
missing NAME=A discriminate
missing NAME=B discriminate cuda.channel_free=x
missing 'run or merge or report' campaign

# --- what there is -------------------------------------------------------------------------------

for words in regs 'regs nv_pbdma' 'regs NV_PBDMA gp_base' 'regs --classes' 'regs --class 0xC1C0 pcas' 'regs --class hopper_a set_obj' \
    'regs --new C797' 'regs --new turing' rules 'rules --json' 'rules T' 'rules nv.pbdma.' \
    'rules t.g3' gpus 'gpus --json' 'gpus gtx1060' 'gpus gtx1060 --json'; do
    # shellcheck disable=SC2086
    try $words
    expect 0 0 "$words"
    [ -s printed ] || fail "gfe $words prints nothing"
done
# What is new in Ada?  Its two classes are Ampere's, and gfe says so; Hopper's differ.
try regs --new Ada
expect 0 0 'regs --new Ada'
cat >wanted <<'END'
ADA_A (c997) has nothing new: its methods are those of AMPERE_B (c797)

ADA_COMPUTE_A (c9c0) has nothing new: its methods are those of AMPERE_COMPUTE_B (c7c0)
END
cmp -s printed wanted || fail "gfe regs --new Ada: $(cat printed)"
try regs --new cb97
grep -qx 'HOPPER_A (cb97) after ADA_A (c997): 1 added, 8 changed, 0 removed' printed || fail "gfe regs --new cb97: $(head -1 printed)"
try regs --class pascal send_pcas_a
expect 0 0 'regs --class pascal send_pcas_a'
cat >wanted <<'END'
PASCAL_COMPUTE_A (c0c0)

0x02b4  SEND_PCAS_A
         bits 31:0   QMD_ADDRESS_SHIFTED8

PASCAL_COMPUTE_B (c1c0)

0x02b4  SEND_PCAS_A
         bits 31:0   QMD_ADDRESS_SHIFTED8
END
cmp -s printed wanted || fail "gfe regs --class pascal send_pcas_a: $(cat printed)"

if command -v python3 >/dev/null; then
    for words in 'rules --json' 'gpus --json' 'gpus gtx1060 --json'; do
        # shellcheck disable=SC2086
        try $words
        python3 -m json.tool <printed >/dev/null || fail "gfe $words: no JSON"
    done
fi

# --- stdout that cannot be written ---------------------------------------------------------------

trace=$top_srcdir/tests/fuzz/corpus/trace/whole.gft
for words in --help --version 'run --help' regs rules 'rules --json' gpus "hash $trace" \
    "decode $trace"; do
    status=0
    # shellcheck disable=SC2086
    "$gfe" $words >/dev/full 2>said </dev/null || status=$?
    expect 1 1 "$words >/dev/full"
done

# --- files that are none of ours ------------------------------------------------------------------

: >empty
echo 'This is a text, not a trace.' >text
cp "$gfe" elf
mkdir directory
head -c 10 "$trace" >head.gft
head -c 24 /dev/zero >zeroes

for command in decode explain hash run show; do
    for file in missing empty text elf directory head.gft zeroes /dev/null missing/file; do
        try "$command" "$file"
        expect 1 1 "$command $file"
        grep -q "^gfe: $file: " said || fail "gfe $command $file: the message does not name it"
    done
done
for file in missing empty text elf directory; do
    try import nvt "$file" -o out.gft
    expect 1 1 "import nvt $file"
    [ ! -e out.gft ] || fail "gfe import nvt $file leaves a trace"
done
[ -z "$(find . -name '.gfe*')" ] || fail "something is left behind: $(find . -name '.gfe*')"

# --- a real log -----------------------------------------------------------------------------------

nvt=$top_srcdir/tests/fuzz/corpus/nvt/small.nvt
try import nvt "$nvt" -o small.gft
expect 0 0 'import nvt small.nvt'
try run -o small.gfl small.gft
# The log ends before the program's fence comes: work is left.
[ "$status" -eq 3 ] || fail "gfe run small.gft: status $status"
[ -s small.gfl ] || fail 'gfe run wrote no log'
try decode small.gft
expect 0 0 'decode small.gft'
cp printed decoded
try hash small.gft small.gfl
expect 0 0 'hash small.gft small.gfl'
try show small.gfl
expect 0 0 'show small.gfl'
for kind in csv events-csv; do
    try show --as $kind small.gfl
    expect 0 0 "show --as $kind small.gfl"
    [ "$(sed -n 1p printed | tr -cd , | wc -c)" -ge 5 ] || fail "gfe show --as $kind: no header"
done
for words in '' --json --rules '--rules --json' '--top 3' '--top 3 --json' --exact --blocks \
    '--only gp' '--only block'; do
    # shellcheck disable=SC2086
    try explain $words small.gfl
    expect 0 0 "explain $words small.gfl"
    [ -s printed ] || fail "gfe explain $words small.gfl prints nothing"
    case $words in
    *json*) ! command -v python3 >/dev/null || python3 -m json.tool <printed >/dev/null ||
        fail "gfe explain $words: no JSON" ;;
    esac
done
try explain small.gfl submission:1
expect 0 0 'explain small.gfl submission:1'
cp printed one
"$gfe" explain - submission:1 <small.gfl >printed
sed 1d one | head -4 >one-head
sed 1d printed | head -4 | diff one-head - || fail 'gfe explain reads stdin differently'
try explain --json --exact --all small.gfl submission:1
expect 0 0 'explain --json small.gfl submission:1'
for name in submission:99 launch:1 gp:0:99 nonsense ''; do
    try explain small.gfl "$name"
    expect 1 1 "explain small.gfl $name"
    grep -q "^gfe: small.gfl: .*'$name'" said || fail "gfe explain does not say that $name is not there"
done
try explain -o small.gfl small.gfl
expect 2 1 'explain -o its own input'

# Snapshots: a run that goes on from one ends with the same whole log.
try hash small.gfl
cut -d' ' -f1 printed >hash-whole
for at in 0 20 1us; do
    try run --snapshot small.gfs --snapshot-at "$at" small.gft
    expect 3 0 "run --snapshot-at $at"
    try run --restore small.gfs -o restored.gfl small.gft
    expect 3 0 "run --restore, taken at $at"
    try hash restored.gfl
    cut -d' ' -f1 printed | cmp -s - hash-whole || fail "another log after --snapshot-at $at"
done
for words in 'run --snapshot x.gfs small.gft' 'run --snapshot-at 3 small.gft' \
    'run --snapshot x.gfs --snapshot-at soon small.gft'; do
    # shellcheck disable=SC2086
    try $words
    expect 2 1 "$words"
done
for words in '--snapshot x.gfs --snapshot-at 1000000' '--snapshot x.gfs --snapshot-at 99s' '--restore missing' '--restore small.gft' \
    '--restore text' '--restore empty' '--restore small.gfs --seed 1' \
    '--restore small.gfs --param nv.draw_ps=1' '--snapshot missing/x.gfs --snapshot-at 3'; do
    # shellcheck disable=SC2086
    try run $words small.gft
    expect 1 1 "run $words"
done
[ ! -e x.gfs ] || fail 'a run that failed leaves a snapshot'
# A time is not a count of events: all of this program's work is earlier than a second.
try run --snapshot x.gfs --snapshot-at 1s small.gft
expect 1 1 'run --snapshot-at behind the end'
grep -q 'no snapshot: the run ends before that time' said || fail 'gfe run takes 1s for one event'

# Outputs do not take the place of inputs, or of each other.
cp small.gft kept.gft
cp small.gfs kept.gfs
for words in '--snapshot small.gft --snapshot-at 3' '-o both --snapshot both --snapshot-at 3' \
    '--restore small.gfs -o small.gfs'; do
    # shellcheck disable=SC2086
    try run $words small.gft
    expect 2 1 "run $words"
done
cmp -s small.gft kept.gft || fail 'gfe run --snapshot wrote over its trace'
cmp -s small.gfs kept.gfs || fail 'gfe run -o wrote over its snapshot'
[ ! -e both ] || fail 'one file as log and as snapshot'

# A window without anything in it is said as it was asked for, without an empty picture.
try show --ascii --from 90s --to 91s small.gfl
expect 0 0 'show of an empty window'
grep -q '^nothing happens between 90 s and 91 s; the log ends at' printed ||
    fail 'gfe show does not name an empty window as it was asked for'
try show --ascii --from 90s small.gfl
grep -q '^nothing happens from 90 s on; the log ends at' printed || fail 'gfe show --from behind the end'
[ "$(wc -l <printed)" -le 3 ] || fail 'gfe show draws an empty picture'

try help run
expect 0 0 'help run'
grep -q '^usage: gfe run ' printed || fail 'gfe help run does not print the help of gfe run'
try help nonsense
expect 2 1 'help nonsense'

# A pipe cannot be read twice: it is kept in a file without a name.  The log is that of the file.
mkdir folder
# shellcheck disable=SC2002 # a pipe is wanted
cat small.gft | TMPDIR=folder "$gfe" run -o piped.gfl - >printed || [ $? -eq 3 ] || fail 'run through a pipe'
"$gfe" run -o piped2.gfl - <small.gft >printed || [ $? -eq 3 ] || fail 'run from standard input'
[ -z "$(ls folder)" ] || fail 'something is left in TMPDIR'
for log in piped.gfl piped2.gfl; do
    try hash "$log"
    cut -d' ' -f1 printed | cmp -s - hash-whole || fail "another log: $log"
done
# shellcheck disable=SC2002
if cat small.gft | TMPDIR=missing "$gfe" run - >printed 2>said; then
    fail 'run through a pipe with no TMPDIR'
fi
[ "$(wc -l <said)" -eq 1 ] && grep -q TMPDIR said || fail 'no TMPDIR is not said in one line'

# Parameters that the model could not run with, and names that are none.
for words in 'nouveau.ring_entries=0' 'nouveau.ring_entries=1' 'nouveau.ring_entries=1000' \
    'nouveau.ring_entries=4096' \
    'nouveau.ring_entries=18446744073709551615' 'nouveau.poll_ps=0' \
    'nouveau.timeslice_timeout=256' 'nouveau.timeslice_scale=16' 'no.such_ps=1' \
    'nouveau.ring_entries' 'nouveau.ring_entries=x'; do
    try run --param "$words" small.gft
    expect 2 1 "run --param $words"
done
try run --param nouveau.ring_entries=2 small.gft
expect 1 1 'run --param nouveau.ring_entries=2'
for words in 'nouveau.ring_entries=4' 'nouveau.ring_entries=2048' \
    'nouveau.timeslice_timeout=255'; do
    try run --param "$words" small.gft
    expect 3 0 "run --param $words"
done

# Figures with which times would not fit 64 bits.
for words in core.block_base_cycles=18446744073709551615 core.block_base_cycles=1099511627777 \
    nouveau.submit_ps=1000000000000000001 core.largest_copy_bytes=17592186044417 \
    nv.ce.credits=4294967297; do
    try run --param "$words" small.gft
    expect 2 1 "run --param $words"
    grep -q ' is at most ' said || fail "run --param $words does not say what would do"
done
compute=$top_srcdir/tests/golden/compute.gft
for words in core.block_base_cycles core.dispatch_cycles nv.pbdma.dword_cycles nv.memory_cycles; do
    try run --param "$words=1099511627776" "$compute"
    [ "$status" -le 1 ] || fail "run --param $words=1099511627776: status $status"
    try run --param "$words=0" "$compute"
    expect 0 0 "run --param $words=0"
done

# --- bounds: each message names the option that raises it ------------------------------------------

capped() # OPTION TOO-LITTLE ENOUGH COMMAND ARGUMENT...
{
    option=$1 little=$2 enough=$3
    shift 3
    try "$@" "$option" "$little"
    expect 1 1 "$* $option $little"
    grep -q -e "($option)" said || fail "gfe $* $option $little: the message does not name the option"
    try "$@" "$option" "$enough"
    expect 0 0 "$* $option $enough"
    try "$1" --help
    grep -q -e "$option" printed || fail "gfe $1 --help does not name $option"
}
capped --max-events 100 10000 run "$compute"
capped --max-time 1ms 10s run "$compute"
capped --max-memory 8k 64M run "$compute"
capped --max-expansion 10k 1M run "$compute"
capped --max-memory 8k 64M decode "$compute"
capped --max-expansion 10k 1M decode "$compute"
capped --max-expansion 10k 1M hash "$compute"
try run -o compute.gfl "$compute"
capped --max-expansion 4k 1M hash compute.gfl
for kind in text svg events summary; do
    capped --max-expansion 4k 1M show --as "$kind" compute.gfl
done
capped --max-expansion 4k 1M explain compute.gfl
# Commands that make runs of their own: the run without faults of inject and of a campaign, that of a log.
printf '{"programs": ["%s"], "samples": 2, "faults": [{"site": "release", "models": ["drop"]}]}' "$compute" >bounds.json
for bound in '--max-events 100 10000' '--max-time 1ms 10s'; do
    # shellcheck disable=SC2086 # three words
    {
        capped $bound inject --fault 'release drop @#2' "$compute"
        capped $bound inspect --trace "$compute" compute.gfl channels
        capped $bound campaign run --db bounds.db bounds.json
    }
    rm -f bounds.db*
done
try run --max-events 100 -o capped.gfl "$compute"
[ ! -e capped.gfl ] || fail 'a run that was stopped by a bound leaves a log'
try run --max-events 0 --max-time 0 "$compute"
expect 0 0 'run --max-events 0 --max-time 0'

# --- pipes, ends of pipes, devices -----------------------------------------------------------------

# Who reads only the beginning of a long output ends the command with SIGPIPE, without words.
for words in "decode $compute" 'show --as events compute.gfl' 'rules' 'rules --json' \
    'explain compute.gfl'; do
    # shellcheck disable=SC2086,SC2016
    {
        status=0
        { timeout 60 "$gfe" $words 2>said || echo $? >ended; } | head -c 1 >/dev/null
    }
    [ ! -s said ] || fail "gfe $words | head says something"
done
# Where SIGPIPE is ignored the write fails: one line.
for words in "decode $compute" 'show --as svg compute.gfl' 'rules' 'rules --json'; do
    # shellcheck disable=SC2086,SC2016
    (
        trap '' PIPE
        { timeout 60 "$gfe" $words 2>said; echo $? >ended; } | true
    )
    [ "$(cat ended)" -eq 0 ] || [ "$(wc -l <said)" -eq 1 ] ||
        fail "gfe $words with SIGPIPE ignored: $(wc -l <said) lines"
done
# Closed standard streams.
for words in "hash $compute" "decode $compute" "run $compute" 'show compute.gfl' \
    'explain compute.gfl' rules gpus 'regs nv_pbdma' --help --version 'run --help'; do
    status=0
    # shellcheck disable=SC2086
    timeout 60 "$gfe" $words >&- 2>said </dev/null || status=$?
    expect 1 1 "$words >&-"
    status=0
    # shellcheck disable=SC2086
    timeout 60 "$gfe" $words >/dev/null 2>&- </dev/null || status=$?
    [ "$status" -eq 0 ] || fail "gfe $words 2>&-: status $status"
done
for command in decode hash run show explain; do
    status=0
    timeout 60 "$gfe" "$command" - <&- >printed 2>said || status=$?
    expect 1 1 "$command - <&-"
    try "$command" /dev/zero
    expect 1 1 "$command /dev/zero"
    mkfifo fifo
    : >fifo &
    try "$command" fifo
    wait $!
    expect 1 1 "$command on an empty FIFO"
    rm fifo
done
# A trace, or a log, through a FIFO is as good as from a file.
for words in hash decode run; do
    "$gfe" "$words" "$compute" >from-file
    mkfifo fifo
    cat "$compute" >fifo &
    try "$words" fifo
    wait $!
    expect 0 0 "$words fifo"
    sed "s:$compute:fifo:" from-file | cmp -s - printed || fail "gfe $words: other than from a file"
    rm fifo
done
try run -o fifo/x "$compute"
expect 1 1 'run -o below something that is not there'

# One given as the other.
for words in 'show small.gft' 'explain small.gft' 'decode small.gfl' 'run small.gfl'; do
    # shellcheck disable=SC2086
    try $words
    expect 1 1 "$words"
done

# --- outputs that cannot be written ---------------------------------------------------------------

: >file
targets='missing/out directory file/out /dev/full'
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    : >read-only
    chmod a-w locked read-only
    targets="$targets locked/out read-only"
fi
for target in $targets; do
    : >before
    : >changes
    find . | sort >before
    for words in "explain small.gfl -o $target" "run small.gft -o $target" "import nvt $nvt -o $target" \
        "show --as svg small.gfl -o $target"; do
        # shellcheck disable=SC2086
        try $words
        # Of a program's own words on stderr there may be more; an error is one line.
        expect 1 1 "$words"
        grep -q "^gfe: $target: " said || fail "gfe $words: the message does not name the target"
    done
    find . | sort | diff before - >changes || fail "left behind by $target: $(cat changes)"
done
[ -c /dev/full ] || fail '/dev/full was replaced'

# --- damage ---------------------------------------------------------------------------------------

# Whatever was there before the damage may be printed; then comes one line.
damaged() # COMMAND FILE
{
    try "$1" "$2"
    if [ "$status" -eq 0 ] && [ ! -s said ]; then
        # Bits that carry nothing, at the end of compressed data.
        case $1 in
        decode) cmp -s printed decoded || fail "gfe decode takes a damaged trace: $3" ;;
        hash) cut -d' ' -f1 printed | cmp -s - hash-before || fail "gfe hash takes a damaged file: $3" ;;
        esac
        return 0
    fi
    expect 1 1 "$1 $2 ($3)"
}

flip() # FILE OFFSET BIT
{
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059 # the octal number is the format
    printf "\\$(printf %o $((byte ^ (1 << $3))))" |
        dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

damage() # FILE COMMAND...
{
    original=$1
    size=$(wc -c <"$1")
    shift
    try hash "$original"
    cut -d' ' -f1 printed >hash-before
    # Every offset of the first header, then about forty places in the rest.
    offset=0
    while [ "$offset" -lt "$size" ]; do
        cp "$original" flipped
        flip flipped "$offset" $((offset % 8))
        for command; do
            damaged "$command" flipped "byte $offset of $original flipped"
        done
        head -c "$offset" "$original" >cut-off
        for command; do
            damaged "$command" cut-off "$original cut at $offset"
        done
        [ "$offset" -lt 24 ] && offset=$((offset + 1)) || offset=$((offset + size / 40 + 1))
    done
}
damage small.gft decode hash run
damage small.gfl show explain hash

[ "$failures" -eq 0 ]
