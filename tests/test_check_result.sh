#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe check of result files: known by what is in them, one run together, beside logs; what breaks a
# rule, what is noise, and what only the configuration tells.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
examiner=$(cd "$top_srcdir" && pwd)/tests/examiner
golden=$(cd "$top_srcdir" && pwd)/tests/golden
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# STATUS WORDS...: gfe check with these words ends with that status.
check()
{
    expected=$1
    shift
    "$gfe" check "$@" >text 2>error
    status=$?
    [ "$status" -eq "$expected" ] || fail "check $*: status $status, not $expected: $(cat text error)"
}

says() # FILE PATTERN
{
    grep -q "$2" "$1" || fail "no '$2' in: $(cat "$1")"
}

cp "$examiner"/*.json .

# Both sets obey.
check 0 --gpu tx2 tx2_k1.json tx2_k2.json tx2_k3.json
says text '^tx2_k1.json and 2 more: obeys the rules: 33 events, 5 kernels, 14 blocks, 0 copies$'
check 0 --gpu tx2 --config tx2.json tx2_k1.json tx2_k2.json tx2_k3.json
check 0 --gpu tx2 --tolerance 0 --clock-error 0 tx2_k1.json tx2_k2.json tx2_k3.json
check 0 --gpu tx2 tx2_process1.json tx2_process2.json
check 0 --gpu tx2 tx2_k2.json
says text '^tx2_k2.json: obeys the rules: 10 events, 2 kernels, 4 blocks, 0 copies$'

# A configuration that is not there; no GPU, an unknown one, and one with fewer SMs.
check 1 --gpu tx2 tx2_k1.json tx2_k2.json tx2_k3.json --config nowhere.json
says error nowhere.json
check 2 tx2_k1.json
says error 'result files do not tell which GPU they were measured on: give --gpu'
check 2 --gpu nosuch tx2_k1.json
says error "no GPU is called 'nosuch'"
sed 's/threads": 4096/threads": 8192/' tx2_k1.json >big.json
check 1 --gpu tx2 big.json
says error 'big.json: was measured on a GPU with 4 SMs, and this one has 2'

# A kernel before the one in front of it has ended; named as a file is whatever it is called.
sed 's/2.000187360/1.740187360/' tx2_k2.json >early.gfl
check 1 --gpu tx2 early.gfl
says text '^early.gfl: T.G4: a kernel begins before an earlier one of its stream has ended$'
says text '^       1.740187360000 s  K2 times\[3\]: block 0 starts on SM 0$'
says text '^       1.750164704000 s  K2 times\[2\]: block 1 ends on SM 1$'
says text '^early.gfl: violates them 1 time: '
check 1 --gpu tx2 --json early.gfl
says text '"rule": "T.G4"'
says text '"time_ps": 1740187360000'
check 0 --gpu tx2 --tolerance 10ms early.gfl
check 1 --gpu tx2 --tolerance 9ms early.gfl

# The wait for a stream ends half a millisecond before its kernel.
sed 's/2.000383630/1.999646080/' tx2_k3.json >clock.json
check 0 --gpu tx2 clock.json
check 1 --gpu tx2 --clock-error 400us clock.json
says text '^clock.json: T.G4: a kernel has left its stream before its last block ends$'
check 2 --gpu tx2 --tolerance 5 clock.json

# Whose turn it is depends on priorities.
sed 's/1.750169344,2.250169824/2.100169344,2.250169824/' tx2_k1.json >late.json
check 0 --gpu tx2 late.json tx2_k2.json tx2_k3.json
check 1 --gpu tx2 --config tx2.json late.json tx2_k2.json tx2_k3.json
says text '^late.json and 2 more: T.X1: the kernel at the head of the queue has 1 of its 4 blocks to assign$'
sed 's/"label": "K2"/"label": "K2", "stream_priority": -1/' tx2.json >priority.json
check 0 --gpu tx2 --config priority.json late.json tx2_k2.json tx2_k3.json

# Files of two runs; a broken one does not keep the others from being checked, nor logs.
check 1 --gpu tx2 tx2_k1.json tx2_process1.json
says error 'tx2_process1.json: is of scenario '
"$gfe" run -o run.gfl "$golden/compute.gft" >/dev/null 2>error || fail "run: $(cat error)"
head -c 700 tx2_k1.json >cut.json
check 1 --gpu gtx1060 run.gfl cut.json tx2_k2.json
says error '^gfe: cut.json: line [0-9]*: not JSON'
says text '^run.gfl: obeys'
says text '^tx2_k2.json: obeys'
check 1 --gpu tx2 tx2.json
says error 'tx2.json: scenario_name: is missing'

[ "$failures" -eq 0 ]
