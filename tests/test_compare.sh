#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe compare on the measurements of an H100 (tests/hardware/data): what the emulation has to meet,
# the forms of the answer, and that a wrong model is noticed.
#
# PROMISE (program): gfe compare holds an H100's measurements against --gpu h100, and a wrong policy shows in it.
set -eu
: "${top_srcdir:=.}"
gfe=$(cd "${top_builddir:-.}" && pwd)/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data/h100
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
cd "$scratch"

fail()
{
    echo "FAILED: $*"
    exit 1
}

"$gfe" compare --gpu h100 --as json -o met.json "$data/blocks.jsonl.gz" "$data/supplement.jsonl"
"$gfe" compare --gpu h100 --as json --policy core.block_to_sm=most-free -o other.json "$data/blocks.jsonl.gz" "$data/supplement.jsonl"
cat >judge.py <<'END'
import json, sys

answer = json.load(open(sys.argv[1]))
experiments = {row["experiment"]: {figure["figure"]: figure for figure in row["figures"]} for row in answer["experiments"]}
assert answer["measured_on"] == "NVIDIA H100 80GB HBM3" and answer["emulated_on"] == "h100"
assert len(experiments) == 20 and answer["lines_not_read"] == 0
agree = of = 0
for name in ("fill", "fill_small", "fill_shared", "leftover", "leftover_fits", "leftover_shared", "priority", "priority_no_room"):
    figure = experiments[name]["first blocks on the measured SM"]
    agree, of = agree + figure["agree"], of + figure["of"]
print("%d of %d first blocks on the measured SM" % (agree, of))
assert of == 2084
pairs = answer["all"]
assert pairs["pairs_in_order"] >= 0.98 * pairs["pairs_of_starts"] > 19000
sys.exit(agree < 0.95 * of)
END
python3 judge.py met.json || fail 'the blocks of h100'
if python3 judge.py other.json; then
    fail 'another order of SMs passes'
fi

# One of three families is of its own; a packed file and a plain one are alike.
zcat "$data/processes.jsonl.gz" >processes.jsonl
"$gfe" compare --gpu h100 "$data/processes.jsonl.gz" >packed
"$gfe" compare --gpu h100 processes.jsonl >plain
cmp packed plain || fail 'a packed file reads otherwise'
grep -q '^processes  *7 ' plain || fail 'the family'
"$gfe" compare --gpu h100 --figures processes.jsonl >each
grep -q 'left out: 1 process that waits for a value' each || fail 'what is left out'

# A name from a file cannot become markup, and damage is told.
sed 's/two_fill/<script>two/' processes.jsonl >named.jsonl
"$gfe" compare --gpu h100 --as html -o page.html named.jsonl
if grep -q '<script' page.html; then
    fail 'a name became markup'
fi
grep -q '&lt;script&gt;two' page.html || fail 'the name'
grep -q "Content-Security-Policy\" content=\"default-src 'none'" page.html || fail 'the policy'
head -c 3000 "$data/blocks.jsonl.gz" >cut.gz
if "$gfe" compare --gpu h100 cut.gz 2>err; then
    fail 'a file that is cut off passes'
fi
grep -q '^gfe: cut.gz: damaged, or cut off' err || fail "$(cat err)"
status=0
"$gfe" compare processes.jsonl 2>err || status=$?
[ "$status" -eq 2 ] && grep -q -- '--gpu is needed' err || fail 'a missing GPU'
status=0
"$gfe" compare --gpu h100 "$data/acquire.jsonl.gz" 2>err || status=$?
[ "$status" -eq 1 ] && grep -q 'no experiment of a form that is known' err || fail "$(cat err)"

# The lines of four more programs: what is read of them, and what is not.
cat >more.py <<'END'
import json, sys

answer = json.load(open("more.json"))
read = {row["family"]: row["experiments"] for row in answer["families"]}
assert read == {"launch_times": 61, "sm_order": 72, "copy_times": 190, "slices": 97}, read
assert answer["lines_not_read"] == 30 + 12 - 1 + 204 + 3, answer["lines_not_read"]
rows = {(row["experiment"], row["detail"]): {figure["figure"]: figure for figure in row["figures"]} for row in answer["experiments"]}
# Two processes with shared memory, of which each stands for the other's slice and two switches.
figure = rows["state", "round 19"]["a watch:132:1024:229376:64: stands"]
assert 2.3e6 < figure["real"] < 2.7e6 and figure["error"] < 0.05, figure
# Two copies to the device go one after the other. Which is first is not held here.
both = [rows["together", "two to the device"]["run 1: copy %d ends" % copy] for copy in (1, 2)]
for side in ("real", "emulated"):
    first, last = sorted(figure[side] for figure in both)
    assert 0.58e6 < first < 0.65e6 and 1.16e6 < last < 1.3e6, both
# A kernel that an SM's split of L1 and shared memory keeps out until the first one has ended.
figure = rows["partial", "first: 132 blocks, 1024 threads each, 264 blocks, 256 threads each"]["kernel 2 begins"]
assert 1.5e6 < figure["real"] < 1.6e6 and figure["error"] < 0.05, figure
END
"$gfe" compare --gpu h100 --as json -o more.json "$data/launch_times.jsonl.gz" "$data/sm_order.jsonl.gz" "$data/copy_times.jsonl.gz" \
    "$data/slices.jsonl.gz"
python3 more.py || fail 'launch_times, sm_order, copy_times, slices'

# Results of cuda_scheduling_examiner: those that gfe wrote itself are met, but for what its copies of results take;
# another GPU meets fewer.
scenarios=$(cd "$top_srcdir" && pwd)/scenarios
"$gfe" run --gpu tx2 -o log.gfl "$scenarios/amert2017-table1.json" >/dev/null
"$gfe" show --as examiner -o results log.gfl
for gpu in tx2 gtx1060; do
    "$gfe" compare --gpu "$gpu" --as json -o "$gpu.json" results/*.json
done
cat >own.py <<'END'
import json, sys

answer = json.load(open(sys.argv[1]))["all"]
print(answer)
assert answer["experiments"] == 1 and answer["figures"] >= 10, answer
sys.exit(answer["within_10_percent"] < answer["figures"] or answer["median_error"] > 0.01
         or answer["pairs_in_order"] < answer["pairs_of_starts"])
END
python3 own.py tx2.json || fail 'results of cuda_scheduling_examiner that gfe wrote'
if python3 own.py gtx1060.json; then
    fail 'another GPU meets the results'
fi
# Two processes are one experiment. What a block works is twice too much until a supplement says it.
processes="$(cd "$top_srcdir" && pwd)/tests/examiner/tx2_process1.json $(cd "$top_srcdir" && pwd)/tests/examiner/tx2_process2.json"
echo '{"supplement": "Made by hand: two processes on a TX2", "streams": {"Mandelbrot Set": {"work_ns": 30000000}}}' >work.jsonl
# shellcheck disable=SC2086 # two names
"$gfe" compare --gpu tx2 --figures $processes >without
# shellcheck disable=SC2086
"$gfe" compare --gpu tx2 --figures $processes work.jsonl >with
grep -q '^  process 1: Mandelbrot Set ends .* 1[0-9][0-9]\.[0-9] %$' without || fail "$(cat without)"
grep -q '^  process 1: Mandelbrot Set ends .* [0-9]\.[0-9] %$' with || fail "$(cat with)"
# Half of a result is no result.
head -c 700 "$(ls results/*.json | head -1)" >half.json
if "$gfe" compare --gpu tx2 half.json 2>err; then
    fail 'half a result passes'
fi
grep -q '^gfe: half.json' err || fail "$(cat err)"

# calibrate: a file that cannot be written is told before the first run; how far it is goes to standard error alone.
fit="calibrate --gpu h100 --fit rm.compute_timeslice_units"
status=0
# shellcheck disable=SC2086 # words
"$gfe" $fit --progress -o no/such/folder.json processes.jsonl >out 2>err || status=$?
[ "$status" -eq 1 ] && [ ! -s out ] && grep -q '^gfe: no/such/folder.json' err || fail "a folder that is not there: $(cat err)"
if grep -q 'experiment 1 of' err; then
    fail 'the fit began though its file cannot be written'
fi
# shellcheck disable=SC2086
"$gfe" $fit --progress -o fitted.json processes.jsonl >out 2>err || fail "$(cat err)"
grep -q 'gfe calibrate: experiment 1 of 7, run 1' err && grep -q 'experiment 7 of 7, run [0-9]*, error so far [0-9.]* %' err || fail "$(cat err)"
if grep -q 'experiment 1 of' out; then
    fail 'the progress is in the answer'
fi
# shellcheck disable=SC2086
"$gfe" $fit -o fitted.json processes.jsonl >again 2>err || fail "$(cat err)"
[ ! -s err ] && cmp out again || fail 'without --progress'
grep -q '"inherits": "h100"' fitted.json || fail "$(cat fitted.json)"
echo passed
