#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe record with ROCm's libraries (rocminfo, HSA, HIP): that they run to the end above the KFD
# stand-in, and what is recorded. Each part is skipped without its library.
#
# The broken variants at the end prove that the clients see something.
#
# PROMISE (traces): ROCm's libraries run above the KFD stand-in (rocminfo, HSA, HIP with 1 to 32
# streams and eight threads, five boards, two GPUs, two processes), compare what they copied, and
# are replayed to their ends; stand-ins broken on purpose are noticed.
set -u

# shellcheck disable=SC2154 # both are set by make
root=$top_srcdir
# shellcheck disable=SC2154
gfe=$top_builddir/gfe
clients=$top_builddir/tests/clients
broken=$top_builddir/libgfe-record-broken.so
# Of another recorder, not in every checkout.
recordings=${GFE_ROCR_RECORDINGS:-$root/../shared/traces/rocr}

have_rocminfo=
command -v rocminfo >/dev/null 2>&1 && have_rocminfo=yes
[ -n "$have_rocminfo" ] || [ -x "$clients/hsa_client" ] || {
    echo 'skipped: neither rocminfo nor the HSA client is there (rocminfo, libhsa-runtime-dev)'
    exit 77
}
[ "$(uname -m)" = x86_64 ] || {
    echo 'skipped: stores to doorbells are seen on x86-64 only'
    exit 77
}
case $("$gfe" --version 2>/dev/null) in '') exit 1 ;; esac

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
case $gfe in /*) ;; *) gfe=$PWD/$gfe ;; esac
case $clients in /*) ;; *) clients=$PWD/$clients ;; esac
case $broken in /*) ;; *) broken=$PWD/$broken ;; esac
case $recordings in /*) ;; *) recordings=$PWD/$recordings ;; esac
case $root in /*) ;; *) root=$PWD/$root ;; esac
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

matches() # FILE PATTERN
{
    grep -q -- "$2" "$1" || { echo "$1 lacks '$2':"; tail -5 "$1"; return 1; }
}

lacks() # FILE PATTERN
{
    ! grep -- "$2" "$1"
}

# Records NAME.gft and lists its records in NAME.txt; stdout, stderr and `status` are the program's.
record() # NAME GPU PROGRAM ARGUMENT...
{
    name=$1 gpu=$2
    shift 2
    timeout -k 5 120 "$gfe" record --gpu "$gpu" -o "$name.gft" -- "$@" >stdout 2>stderr
    status=$?
    "$gfe" decode --records "$name.gft" >"$name.txt" 2>&1
}

# Every recording is replayed: all completion values are reached, nobody waits for ever, twice the
# same; with the recorded times instead of waits it comes to its end too.
replayed() # NAME SENTENCE
{
    "$gfe" run -o "$1.gfl" "$1.gft" >"$1.run" 2>&1
    check "$2 is replayed" same $? 0
    check "with all that it completed ($2)" same "$(awk '$1 == "fences" { print $2 - $4 }' "$1.run")" 0
    check "nobody waits for ever ($2)" lacks "$1.run" 'never ended'
    "$gfe" run -o "$1.again.gfl" "$1.gft" >/dev/null 2>&1
    check "twice the same ($2)" same "$("$gfe" hash - <"$1.gfl")" "$("$gfe" hash - <"$1.again.gfl")"
    "$gfe" run --open-loop "$1.gft" >"$1.open" 2>&1
    check "and at the recorded times ($2)" same $? 0
    "$gfe" scrub -o "$1.scrubbed.gft" "$1.gft" >"$1.report" 2>&1
    check "without what nobody needs it says the same ($2)" matches "$1.report" 'before and after'
    rm -f "$1.gfl" "$1.again.gfl"
}

of_kind() # NAME KIND [WORDS]: how many records
{
    awk -v kind="$2" -v words="${3:-}" \
        '$5 == kind && (words == "" || index($0, words)) { n++ } END { print n + 0 }' "$1.txt"
}

# A code object for the clients, if there is a compiler for it.
code=
if command -v clang >/dev/null 2>&1 && clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa \
    -mcpu=gfx906 -nogpulib -O2 -o kernels.co "$root/tests/clients/kfd_kernels.cl" 2>clang.log; then
    code=$work/kernels.co
else
    echo 'without a code object: clang cannot make one for gfx906'
fi

# --- rocminfo --------------------------------------------------------------------------------

if [ -n "$have_rocminfo" ]; then
    record rocminfo radeon-vii rocminfo
    check 'rocminfo ends well' same $status 0
    check 'it finds the chip' matches stdout 'Name: *gfx906'
    check 'and the board' matches stdout 'AMD Radeon VII'
    check 'with its compute units' matches stdout 'Compute Unit: *60'
    check 'and its shader engines' matches stdout 'Shader Engines: *4'
    check 'what it asked is recorded' same "$(of_kind rocminfo DEVICE 'gpu="radeon-vii"')" 1
    check 'by one client' same "$(of_kind rocminfo CLIENT 'layer=RING')" 1
    check 'and whole' same "$(of_kind rocminfo END)" 1
    check 'nothing is left behind' same "$(ls -A "$TMPDIR")" ''
    replayed rocminfo rocminfo
    check 'and it asked for nothing that is not there' lacks stderr 'could not open'
    while read -r board isa units; do
        record board "$board" rocminfo </dev/null
        check "rocminfo finds an $board" matches stdout "Name: *$isa\$\|Name: *$isa "
        check "with its units ($board)" matches stdout "Compute Unit: *$units"
    done <<END
mi50 gfx906 60
mi60 gfx906 64
mi100 gfx908 120
mi210 gfx90a 104
END
    record two radeon-vii,mi100 rocminfo
    check 'two GPUs are two' same "$(grep -c 'Device Type: *GPU' stdout)" 2
    check 'the second is an MI100' matches stdout 'Name: *gfx908'
    check 'and both are in the trace' same "$(of_kind two DEVICE)" 2
    "$gfe" run two.gft >stdout 2>stderr
    check 'a replay has nothing to say against it' same "$? $(wc -l <stderr)" '0 0'
    "$gfe" record -q -o none.gft -- rocminfo >stdout 2>stderr
    check 'without --gpu there is none of AMD' lacks stdout gfx906
    check 'and that is said' matches stderr 'rocminfo never opened the GPU .* needs --gpu radeon-vii'
fi

# --- HSA -------------------------------------------------------------------------------------

if [ -x "$clients/hsa_client" ]; then
    # shellcheck disable=SC2086 # no name, no argument
    record hsa radeon-vii "$clients/hsa_client" $code
    "$gfe" decode hsa.gft >hsa.decoded
    check 'it is decoded' same $? 0
    check 'with its dispatches' matches hsa.decoded ' KERNEL_DISPATCH .* KERNEL_OBJECT='
    check 'and each packet has a name and all its bits' lacks hsa.decoded '!\|RESERVED\|UNKNOWN'
    check 'the HSA client ends well' same $status 0
    check 'it says what took effect' matches stderr 'kernels of the program were not executed'
    packets=$(of_kind hsa PACKET 'what=AQL')
    check "all packets are there ($packets)" test "$packets" -gt 5010
    check 'and a doorbell for each' same "$(of_kind hsa DOORBELL 'channel_id=3')" \
        "$(of_kind hsa PACKET 'queue_id=3 what=AQL')"
    check 'of no queue more than of packets' same \
        "$(awk '$5 == "DOORBELL" { d++ } $5 == "PACKET" { p++ } END { print (d <= p) }' hsa.txt)" 1
    sed -n 's/.* DOORBELL channel_id=3 value=\(0x[0-9a-f]*\).*/\1/p' hsa.txt >values
    check 'in the order of the stores, of which two are out of order' same \
        "$(awk 'NR > 1 && (length($1) < length(last) || (length($1) == length(last) && $1 < last)) {
                n++ } { last = $1 } END { print n + 0 }' values)" 2
    check 'SDMA packets' test "$(of_kind hsa PACKET 'what=SDMA')" -ge 40
    check 'the indirect buffer that clears caches' test "$(of_kind hsa PACKET 'what=PM4')" -ge 1
    check 'the CU mask' same "$(of_kind hsa CU_MASK 'mask=8 bytes ffff0000 00000000')" 1
    check 'the priority' same "$(of_kind hsa QUEUE_UPDATE 'priority=15')" 1
    check 'a stop for scratch' same "$(of_kind hsa QUEUE_SCRATCH 'what=WANTED')" 1
    check 'and what came of it' same "$(of_kind hsa QUEUE_SCRATCH 'what=GIVEN')" 1
    check "code of the program's kernel" same "$(of_kind hsa KERNEL 'what=APPLICATION')" 1
    check "and of the runtime's own" test "$(of_kind hsa KERNEL 'what=COPY')" -ge 1
    check 'the fill as such' same "$(of_kind hsa KERNEL 'what=FILL')" 1
    check 'nothing was looked for where nothing is' lacks hsa.txt 'is not mapped'
    check 'no store was missed' lacks hsa.txt 'values may be missing'
    replayed hsa 'the HSA client'
    check 'queues end' same "$(of_kind hsa QUEUE)" "$(of_kind hsa QUEUE_END)"
    for board in mi50 mi60 mi100 mi210; do
        record board $board "$clients/hsa_client"
        check "it runs without a code object, on an $board" same $status 0
        check "whose name is in the trace ($board)" same "$(of_kind board DEVICE "gpu=\"$board\"")" 1
        check "and whose runtime's kernels are known ($board)" \
            test "$(of_kind board KERNEL 'what=COPY') $(of_kind board KERNEL 'what=FILL')" = '1 1'
    done
    record both radeon-vii sh -c "'$clients/hsa_client' >one & '$clients/hsa_client' >/dev/null; wait; cat one"
    check 'two at a time' matches stdout 'hsa_client: done'
    check 'are two clients' same "$(of_kind both CLIENT)" 2
    check 'with queues of their own' same \
        "$(awk '$5 == "QUEUE" { print $6 }' both.txt | sort | uniq -d | wc -l)" 0
fi

# --- HIP -------------------------------------------------------------------------------------

# What HIP 5.2.3 makes: the runtime's queue and up to four, of which one is the null stream's.
aql_queues() # STREAMS
{
    if [ "$1" -ge 3 ]; then echo 5; else echo $(($1 + 2)); fi
}

if [ -x "$clients/hip_client" ]; then
    # With three there are as many queues as with more.
    some="1 3 32"
    [ -z "${GFE_LONG-}" ] || some="1 2 3 4 5 8 16 32"
    for streams in $some; do
        # shellcheck disable=SC2086
        record hip radeon-vii "$clients/hip_client" streams $streams $code
        check "HIP with $streams streams ends well" same $status 0
        replayed hip "HIP with $streams streams"
        if [ -n "$code" ]; then
            check "and has its queues ($streams)" same "$(of_kind hip QUEUE 'what=AQL')" \
                "$(aql_queues $streams)"
            check "and those for copies ($streams)" same "$(of_kind hip QUEUE 'what=SDMA')" 2
        fi
        shown=$recordings/streams_$streams/trace.jsonl
        if [ -n "$code" ] && [ -r "$shown" ]; then
            check "as many as another recorder saw ($streams)" same \
                "$(of_kind hip QUEUE)" "$(grep -c '"ev":"create_queue"' "$shown")"
        fi
    done
    if [ -n "$code" ]; then
        for limit in 1 8; do
            GPU_MAX_HW_QUEUES=$limit
            export GPU_MAX_HW_QUEUES
            record hip radeon-vii "$clients/hip_client" streams 16 "$code"
            check "16 streams on $limit queues" same "$(of_kind hip QUEUE 'what=AQL')" $((limit + 1))
        done
        unset GPU_MAX_HW_QUEUES
    fi
    record features radeon-vii "$clients/hip_client" features 1
    check 'registered memory, rectangles, priorities and CU masks work' same $status 0
    replayed features 'HIP with rectangles'
    check 'rectangles are copied by SDMA' test "$(of_kind features PACKET 'data=52 bytes 0104')" -ge 2
    check 'the stream of the highest priority has a queue' same \
        "$(of_kind features QUEUE_UPDATE 'priority=15')" 1
    check "the stream's CU mask is what was asked for" same \
        "$(of_kind features CU_MASK 'mask=8 bytes ff00ff00 ff000000')" 1
    for board in mi50 mi60 mi100 mi210; do
        record board $board "$clients/hip_client" streams 2
        check "HIP copies on an $board" matches stdout ' 2 streams, 0 wrong words'
        check "and ends well ($board)" same $status 0
    done
    record gpus radeon-vii,mi100 "$clients/hip_client" streams 4
    check 'HIP with two GPUs ends well' same $status 0
    check 'it sees both' matches stdout ' 2 devices'
    check 'and both have queues' same \
        "$(awk '$5 == "QUEUE" { print $9 }' gpus.txt | sort -u | wc -l)" 2
    record threads radeon-vii "$clients/hip_client" threads 8 20
    check 'HIP with eight threads ends well' same $status 0
    check 'no store was missed there' lacks threads.txt 'values may be missing'
    replayed threads 'HIP with eight threads'
fi

# --- broken variants: each is noticed by a client ------------------------------------------------

if [ -r "$broken" ] && [ -x "$clients/hsa_client" ]; then
    GFE_RECORD_LIBRARY=$broken
    export GFE_RECORD_LIBRARY
    record broken radeon-vii "$clients/hsa_client"
    check 'the breakable library without a fault is right' same $status 0
    while read -r fault expected; do
        GFE_RECORD_BREAK=$fault
        export GFE_RECORD_BREAK
        record broken radeon-vii "$clients/hsa_client" </dev/null
        check "the fault '$fault' is noticed" same $status "$expected"
        echo "fault '$fault': $(tail -n 1 stdout)"
    done <<END
copy 4
fill 4
and 3
or 3
barrier 3
poll 5
fence 2
twice 6
doorbell 2
scratch 2
event 2
END
    # The others stop the runtime itself: see test_record_kfd_procs.sh.
    GFE_RECORD_BREAK=copy
    if [ -x "$clients/hip_client" ]; then
        for mode in 'streams 4' 'threads 4 5' 'features 1'; do
            # shellcheck disable=SC2086 # two words
            record broken radeon-vii "$clients/hip_client" $mode
            check "HIP's $mode notices short copies" same $status 1
        done
    fi
    unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK
fi

echo "$checks checks, $failures failed"
[ $failures = 0 ]
