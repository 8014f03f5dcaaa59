#!/bin/sh
# SPDX-License-Identifier: MIT
# Every command with failing allocations, failing calls on files, a full disk, interrupted calls and
# short reads and writes (tests/fail_commands.c says what is expected).  CHECK_EVERY=1 tries every
# single allocation, which takes hours; CHECK_EVERY=11 every eleventh, at each command another one of the
# eleven (make check-long); without it most of the later ones are left out.
# CHECK_THIN=1 tries a fifth of those, and half of the runs where all later ones fail, too (./bootstrap
# check; .ci/run with sanitizers).
#
# PROMISE (base): With any allocation or call on a file failing, on a full disk, with EINTR and
# with reads and writes of one byte, each command that is tried ends with one line and status 1
# and leaves nothing behind, or with the right result.
# LIMIT (base): An allocation of libseccomp that fails can leave the sandbox incomplete, or never done: it is not tried.
# LIMIT (base): live and `gfe show --as examiner` are not run with failing calls, `gfe campaign` only with
# failing writes (test_interrupted.sh) but for its reports.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CHECK_EVERY:=}" "${CHECK_THIN:=}"
export LC_ALL=C
top_srcdir=$(cd "$top_srcdir" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/run" "$scratch/temporary"
cd "$scratch/run"
failures=0

library=$top_builddir/libgfe-fail.so
gfe=$top_builddir/gfe
if [ -x "$top_builddir/tests/gfe_wrapped" ]; then
    # A build with sanitizers, which want to own malloc.
    library=-
    gfe=$top_builddir/tests/gfe_wrapped
elif [ ! -e "$library" ]; then
    echo "$library was not built"
    exit 1
fi

fails() # [OPTION...] -- ARGUMENT...
{
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # options are words
    "$top_builddir/tests/fail_commands" ${CHECK_EVERY:+--every "$CHECK_EVERY"} ${CHECK_THIN:+--thin} $options "$library" "$gfe" "$@" ||
        failures=$((failures + 1))
}

# The last COUNT allocations of a command, which prints then.  With CHECK_EVERY as many as of all others.
fails_at_end() # COUNT ARGUMENT...
{
    count=$1
    shift
    fails --last "$count" -- "$@"
}

nvt=$top_srcdir/tests/fuzz/corpus/nvt/small.nvt
"$gfe" import nvt "$nvt" -o ../small.gft
"$gfe" run -o ../small.gfl ../small.gft >/dev/null || [ $? -eq 3 ] # its log ends early: work is left
compute=$top_srcdir/tests/golden/compute.gft
"$gfe" run -o ../compute.gfl "$compute" >/dev/null

fails -- --help
fails -- run --help
fails -- gpus
fails -- gpus --json
fails -- gpus --export gtx1060
cat >../gpu.json <<'END'
{"gfe_gpu": 1, "inherits": "radeon-vii", "name": "n", "gds_bytes": {"value": 0, "basis": "ASSUMED", "source": "x"},
 "parameters": {"hip.max_hw_queues": 3}, "choices": {}}
END
fails -- occupancy --gpu ../gpu.json
fails -- regs nv_pbdma
fails -- rules
fails -- rules --json
fails -- check ../compute.gfl
fails -- check --json ../compute.gfl
for words in '' --json "--config $top_srcdir/tests/examiner/tx2.json"; do
    # shellcheck disable=SC2086 # words are words
    fails -- check $words --gpu tx2 "$top_srcdir/tests/examiner/tx2_k2.json"
done
fails -- hash ../small.gft
fails -- hash ../small.gfl
fails -- hash "$compute"
fails -- hash --schema
fails -- decode ../small.gft
fails --output out -- decode -o out "$compute"
fails -- decode --format amd-pm4 --generation gfx9 --hex "$top_srcdir/tests/golden/amd/pm4.hex"
fails -- decode --format amd-aql --hex --json "$top_srcdir/tests/golden/amd/aql.hex"
fails --output out -- decode --format amd-kernel-descriptor -o out \
    "$top_srcdir/tests/fuzz/corpus/amd_object/two"
fails --output out -- import nvt "$nvt" -o out
fails --output out -- import raw "$top_srcdir/tests/golden/raw/tu116_compute.raw" -o out
fails --output out -- scrub -o out ../small.gft
fails --output out -- scrub --json -o out ../small.gft
fails -- run ../small.gft
fails -- run --json ../small.gft
fails --output out -- run -o out ../small.gft
fails -- show ../small.gfl
fails -- inject --fault "doorbell drop" "$compute"
fails -- inject --list --json
fails_at_end 100 inject --json --fault "doorbell drop" "$compute"
fails_at_end 130 inspect ../small.gfl --at 10us --json tsgs
for words in '' --json --rules '--top 3 --blocks' --only=gp; do
    # shellcheck disable=SC2086 # words are words
    fails -- explain $words ../small.gfl
done
fails --output out -- explain -o out ../small.gfl submission:1
for kind in text svg perfetto csv events events-csv summary vcd; do
    fails --output out -- show --as "$kind" -o out ../small.gfl
done

fails --output out -- run --snapshot out --snapshot-at 20 ../small.gft
"$gfe" run --snapshot ../small.gfs --snapshot-at 20 ../small.gft >/dev/null || [ $? -eq 3 ]
fails -- run --restore ../small.gfs ../small.gft
fails -- debug --batch -e 'run event:30' -e why -e 'back 2' -e 'where 2' ../small.gft
[ -n "$CHECK_EVERY" ] ||
    fails_at_end 60 debug --batch -e 'run event:30' -e why -e 'back 2' -e 'where 2' ../small.gft
fails_at_end 40 debug --batch -e 'break event NV_RELEASE' -e continue -e who -e 'step method' -e reverse ../small.gft

# The report of a campaign.
printf '%s\n' "{\"programs\": [\"$compute\"], \"samples\": 6," \
    ' "faults": [{"site": "gp_entry", "models": ["flip", "drop"]}]}' >../plan.json
"$gfe" campaign run --db ../campaign.db ../plan.json >/dev/null
fails -- campaign report --as json ../campaign.db

# Programs of scenarios, and what reads their logs.
own=$top_srcdir/tests/fuzz/corpus/scenario/own
"$gfe" run -o ../own.gfl "$own" >/dev/null
for words in '' --json '--explore 2' '--explore all --json'; do
    # shellcheck disable=SC2086 # words are words
    fails -- run $words "$own"
done
fails -- run "$top_srcdir/scenarios/amert2017-table3.json"
fails -- inspect ../own.gfl --at 2ms queues
fails -- check ../own.gfl
fails -- diff ../own.gfl ../own.gfl
fails -- show --as svg ../own.gfl
fails -- show --as html ../own.gfl
placement='core.block_to_sm=lowest core.block_to_sm=most-free'
# shellcheck disable=SC2086 # words are words
"$gfe" discriminate -o ../placement $placement >/dev/null
every=$CHECK_EVERY
CHECK_EVERY= # of 800,000 allocations, in some 30 runs that are alike
# shellcheck disable=SC2086 # words are words
fails -- discriminate --json $placement ../placement/A-lowest/K1.json
CHECK_EVERY=$every
for words in k k:0 '--json k'; do
    # shellcheck disable=SC2086 # words are words
    fails -- explain ../own.gfl $words
done
[ -n "$CHECK_EVERY" ] || fails_at_end 10 explain ../own.gfl k
"$gfe" run --seed 3 -o ../other.gfl "$own" >/dev/null
fails_at_end 50 diff --json ../own.gfl ../other.gfl

# AMD: recordings of KFD, configurations of hip_plugin_framework, what stands in the log.
kfd=$top_srcdir/tests/golden/kfd_kernels.gft
hip=../hip.json
printf '%s\n' '{"name": "two", "plugins": [{"filename": "matrix_multiply.so", "thread_count": 256,' \
    ' "block_count": 4, "max_iterations": 2, "compute_unit_mask": "0101"}]}' >"$hip"
"$gfe" run -o ../kfd.gfl "$kfd" >/dev/null
fails -- decode "$kfd"
fails -- hash "$kfd"
for words in '' --json; do
    # shellcheck disable=SC2086 # words are words
    fails -- run $words "$kfd"
    # shellcheck disable=SC2086 # words are words
    fails -- run $words "$hip"
done
fails --output out -- run -o out "$kfd"
fails --output out -- run -o out "$hip"
fails --output out -- run --times out "$hip"
fails_at_end 60 run --explore 2 --json "$hip"
for what in hqds mqds rls; do
    fails -- inspect ../kfd.gfl --at 2ms "$what"
done
fails -- show --as svg ../kfd.gfl
fails -- show --as html ../kfd.gfl

# From standard input.
cp ../small.gft input
fails -- run -
fails -- decode -
cp ../small.gfl input
fails -- show -
fails -- hash -
rm input

# A recording, of a program that opens no GPU, and of one that does.
fails -- record -q -o out -- true
client=$top_builddir/tests/clients/gl_clear
if [ -x "$client" ]; then
    fails --differs --output out -- record -q -o out -- "$client"
fi
fails --differs --output out -- record -q --gpu radeon-vii -o out -- \
    "$top_builddir/tests/clients/kfd_procs" kernels

[ "$failures" -eq 0 ]
